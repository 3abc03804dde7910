//! Tokens: who may do what.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, now_ms};
use crate::error::Error;
use crate::projects::{check_text, time_text};

/// What a token begins with, so that scanners for secrets find it.
const PREFIX: &str = "slope_";
/// Random bytes of a token.
const SECRET_BYTES: usize = 32;
/// Random bytes of an id.
const ID_BYTES: usize = 6;

/// What a token allows. Each scope includes those before it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Reading.
    Read,
    /// Adding points and runs.
    Push,
    /// Removing points, and adding and revoking tokens.
    Admin,
}

impl Scope {
    /// The name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Push => "push",
            Self::Admin => "admin",
        }
    }

    fn of_name(name: &str) -> Result<Self, Error> {
        let all = [Self::Read, Self::Push, Self::Admin];
        let found = all.into_iter().find(|scope| scope.name() == name);
        found.ok_or_else(|| Error::Damaged(format!("a token has the scope `{name}`")))
    }
}

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Token {
    /// Id, which is not secret.
    pub id: String,
    /// What it allows.
    pub scope: Scope,
    /// The project that it is for; `null` for all projects.
    pub project: Option<String>,
    /// Note on its use.
    pub label: String,
    /// Time at which it was added, RFC 3339 in UTC.
    pub created: String,
    /// Time at which it was revoked; `null` if it is valid.
    pub revoked: Option<String>,
}

impl Token {
    /// Whether it allows something on a project. `None` stands for what belongs to no project, which needs a token for
    /// all projects unless it only reads.
    #[must_use]
    pub fn allows(&self, scope: Scope, project: Option<&str>) -> bool {
        let fits = match (&self.project, project) {
            (None, _) => true,
            (Some(own), Some(asked)) => own == asked,
            (Some(_), None) => scope == Scope::Read,
        };
        fits && self.scope >= scope && self.revoked.is_none()
    }
}

impl Database {
    /// Adds a token. Returns it with its secret, which is not kept.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such project.
    pub async fn add_token(
        &self,
        scope: Scope,
        project: Option<&str>,
        label: &str,
    ) -> Result<(Token, String), Error> {
        check_text("label", label)?;
        if let Some(project) = project {
            self.project(project).await?;
        }
        let secret = format!("{PREFIX}{}", random::<SECRET_BYTES>()?);
        let token = Token {
            id: random::<ID_BYTES>()?,
            scope,
            project: project.map(str::to_owned),
            label: label.to_owned(),
            created: time_text(now_ms()),
            revoked: None,
        };
        let mut write = self.write().await?;
        sqlx::query(
            "INSERT INTO tokens (id, hash, scope, project, label, created_ms) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(&token.id)
        .bind(hash(&secret))
        .bind(scope.name())
        .bind(project)
        .bind(label)
        .bind(now_ms())
        .execute(&mut *write.connection)
        .await?;
        write.commit().await?;
        Ok((token, secret))
    }

    /// The token that has this secret, even if it was revoked; `None` if no token has it.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn token(&self, secret: &str) -> Result<Option<Token>, Error> {
        let row = sqlx::query(
            "SELECT id, scope, project, label, created_ms, revoked_ms FROM tokens WHERE hash = $1",
        )
        .bind(hash(secret))
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(token).transpose()
    }

    /// Whether there is a token of this id that was not revoked.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn is_valid(&self, id: &str) -> Result<bool, Error> {
        let row = sqlx::query("SELECT 1 FROM tokens WHERE id = $1 AND revoked_ms IS NULL")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.is_some())
    }

    /// The tokens of a project, or all of them.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn tokens(&self, project: Option<&str>) -> Result<Vec<Token>, Error> {
        let rows = sqlx::query(
            "SELECT id, scope, project, label, created_ms, revoked_ms FROM tokens \
             WHERE $1 = '' OR project = $1 ORDER BY created_ms, id",
        )
        .bind(project.unwrap_or_default())
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(token).collect()
    }

    /// Whether there is a valid token.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn has_tokens(&self) -> Result<bool, Error> {
        let row = sqlx::query("SELECT 1 FROM tokens WHERE revoked_ms IS NULL LIMIT 1")
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.is_some())
    }

    /// Revokes a token: of one project, or of any. A token that was revoked stays so.
    ///
    /// # Errors
    /// [`Error::Unknown`] if no token has this id.
    pub async fn revoke_token(&self, id: &str, project: Option<&str>) -> Result<(), Error> {
        let mut write = self.write().await?;
        let revoked = sqlx::query(
            "UPDATE tokens SET revoked_ms = COALESCE(revoked_ms, $1) WHERE id = $2 AND ($3 = '' OR project = $3)",
        )
        .bind(now_ms())
        .bind(id)
        .bind(project.unwrap_or_default())
        .execute(&mut *write.connection)
        .await?;
        write.commit().await?;
        match revoked.rows_affected() {
            0 => Err(Error::Unknown {
                kind: "token",
                name: id.to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

fn token(row: &AnyRow) -> Result<Token, Error> {
    Ok(Token {
        id: row.try_get(0)?,
        scope: Scope::of_name(row.try_get(1)?)?,
        project: row.try_get(2)?,
        label: row.try_get(3)?,
        created: time_text(row.try_get(4)?),
        revoked: row.try_get::<Option<i64>, _>(5)?.map(time_text),
    })
}

/// The hash that is kept. A secret has 256 random bits, so a fast hash is enough.
fn hash(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

/// Text of `N` random bytes.
pub(crate) fn random<const N: usize>() -> Result<String, Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Error::Other(error.to_string()))?;
    Ok(data_encoding::BASE32_NOPAD.encode(&bytes).to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(scope: Scope, project: Option<&str>) -> Token {
        Token {
            id: "a".to_owned(),
            scope,
            project: project.map(str::to_owned),
            label: String::new(),
            created: String::new(),
            revoked: None,
        }
    }

    #[test]
    fn scopes_include_lower_ones() {
        let push = token(Scope::Push, Some("p"));
        assert!(push.allows(Scope::Read, Some("p")) && push.allows(Scope::Push, Some("p")));
        assert!(!push.allows(Scope::Admin, Some("p")));
    }

    #[test]
    fn tokens_fit_one_project_or_all() {
        let of_one = token(Scope::Admin, Some("p"));
        assert!(!of_one.allows(Scope::Read, Some("q")));
        assert!(of_one.allows(Scope::Read, None) && !of_one.allows(Scope::Push, None));
        let of_all = token(Scope::Push, None);
        assert!(of_all.allows(Scope::Push, Some("q")) && of_all.allows(Scope::Push, None));
    }

    #[test]
    fn revoked_tokens_allow_nothing() {
        let mut revoked = token(Scope::Admin, None);
        revoked.revoked = Some(String::new());
        assert!(!revoked.allows(Scope::Read, None));
    }
}
