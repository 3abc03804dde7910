//! Removes leftovers of runs: containers, volumes, images, folders.
//!
//! All objects that slope creates have labels: the run, the owning process, and the end of their
//! lease. An item is garbage if its owner is dead or its lease has expired. Objects without these
//! labels are never touched.

use std::collections::HashMap;

use bollard::query_parameters::{
    ListContainersOptionsBuilder, ListImagesOptionsBuilder, ListVolumesOptionsBuilder,
    RemoveContainerOptionsBuilder, RemoveImageOptionsBuilder, RemoveVolumeOptions,
};
use jiff::Timestamp;
use serde::Serialize;

use crate::error::{is_missing, status, words};
use crate::labels::{LEASE, OWNER, Owner, RUN};
use crate::{Engine, Error, seat};

/// Its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A container.
    Container,
    /// A volume of a container.
    Volume,
    /// An image.
    Image,
    /// A folder on this machine.
    Folder,
}

/// Garbage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its kind.
    pub kind: Kind,
    /// Id, name or path.
    pub name: String,
    /// The run that it was made for, `-` if for many.
    pub run: String,
    /// Reason that it is garbage.
    pub why: String,
    /// Size in bytes, if known.
    pub bytes: Option<u64>,
    /// Whether it was removed.
    pub removed: bool,
    /// Reason that removing it failed, if it was tried.
    pub error: Option<String>,
}

/// The leftovers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Garbage {
    /// Garbage, by kind and name.
    pub items: Vec<Item>,
    /// Number of objects with slope's labels that are or may be still needed.
    pub kept: usize,
}

/// Extent of the garbage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scope {
    /// Include images whose lease has not expired, unless a container uses them.
    pub images: bool,
}

/// Finds the garbage.
///
/// # Errors
/// If the engine does not answer.
pub fn find(engine: &Engine, scope: Scope) -> Result<Garbage, Error> {
    let now = Timestamp::now();
    let mut garbage = Garbage {
        items: Vec::new(),
        kept: 0,
    };
    for thing in things(engine)? {
        let spare = scope.images && thing.kind == Kind::Image;
        let why = verdict(&thing.labels, now)
            .or_else(|| spare.then(|| "images are built again when they are needed".to_owned()));
        match why {
            None => garbage.kept += 1,
            Some(why) => garbage.items.push(Item {
                kind: thing.kind,
                run: thing.labels.get(RUN).cloned().unwrap_or_default(),
                name: thing.name,
                why,
                bytes: thing.bytes,
                removed: false,
                error: None,
            }),
        }
    }
    garbage
        .items
        .extend(seat::abandoned().into_iter().map(|path| Item {
            kind: Kind::Folder,
            name: path.display().to_string(),
            run: String::new(),
            why: "its process is gone".to_owned(),
            bytes: None,
            removed: false,
            error: None,
        }));
    garbage
        .items
        .sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    Ok(garbage)
}

/// Removes all found items that the engine allows to remove.
pub fn remove(engine: &Engine, garbage: &mut Garbage) {
    for item in &mut garbage.items {
        match remove_one(engine, item) {
            Ok(()) => item.removed = true,
            Err(why) => item.error = Some(why),
        }
    }
}

/// Removes containers and volumes whose owner is dead, so that a run starts with a clean engine.
///
/// # Errors
/// If the engine does not answer.
pub fn sweep(engine: &Engine) -> Result<Garbage, Error> {
    let mut garbage = find(engine, Scope::default())?;
    garbage.items.retain(|item| item.kind != Kind::Image);
    remove(engine, &mut garbage);
    Ok(garbage)
}

/// Something with slope's labels.
struct Thing {
    kind: Kind,
    name: String,
    labels: HashMap<String, String>,
    bytes: Option<u64>,
}

fn things(engine: &Engine) -> Result<Vec<Thing>, Error> {
    let filters = HashMap::from([("label", vec![LEASE])]);
    let containers = ListContainersOptionsBuilder::default()
        .all(true)
        .filters(&filters)
        .build();
    let volumes = ListVolumesOptionsBuilder::default()
        .filters(&filters)
        .build();
    let images = ListImagesOptionsBuilder::default()
        .filters(&filters)
        .build();
    let docker = &engine.docker;
    let listed = engine.wait(async {
        Ok((
            docker.list_containers(Some(containers)).await?,
            docker.list_volumes(Some(volumes)).await?,
            docker.list_images(Some(images)).await?,
        ))
    });
    let (containers, volumes, images) = listed.map_err(Error::refused("list what it has"))?;
    let containers = containers.into_iter().map(|container| Thing {
        kind: Kind::Container,
        name: container.id.unwrap_or_default(),
        labels: container.labels.unwrap_or_default(),
        bytes: None,
    });
    let volumes = volumes
        .volumes
        .unwrap_or_default()
        .into_iter()
        .map(|volume| Thing {
            kind: Kind::Volume,
            name: volume.name,
            labels: volume.labels,
            bytes: None,
        });
    let images = images.into_iter().map(|image| Thing {
        kind: Kind::Image,
        name: image.repo_tags.into_iter().next().unwrap_or(image.id),
        labels: image.labels,
        bytes: u64::try_from(image.size).ok(),
    });
    Ok(containers.chain(volumes).chain(images).collect())
}

/// Reason that an object with these labels is garbage; `None` if it is, or may be, in use.
fn verdict(labels: &HashMap<String, String>, now: Timestamp) -> Option<String> {
    let owner = labels.get(OWNER).and_then(|label| Owner::parse(label));
    if let Some(owner) = owner
        && owner.lives() == Some(false)
    {
        return Some(format!("process {} that owned it is gone", owner.pid()));
    }
    let until = labels.get(LEASE)?;
    match until.parse::<Timestamp>() {
        Ok(time) if time > now => None,
        Ok(_) => Some(format!("its lease was over at {until}")),
        // Not a label of slope's format; leave it alone.
        Err(_) => None,
    }
}

fn remove_one(engine: &Engine, item: &Item) -> Result<(), String> {
    let docker = &engine.docker;
    let done = match item.kind {
        Kind::Folder => {
            return std::fs::remove_dir_all(&item.name).map_err(|e| e.to_string());
        }
        Kind::Container => {
            let options = RemoveContainerOptionsBuilder::default()
                .force(true)
                .v(true)
                .build();
            engine.wait(docker.remove_container(&item.name, Some(options)))
        }
        Kind::Volume => engine.wait(docker.remove_volume(&item.name, None::<RemoveVolumeOptions>)),
        Kind::Image => {
            let options = RemoveImageOptionsBuilder::default().build();
            let removed = engine.wait(docker.remove_image(&item.name, Some(options), None));
            removed.map(drop)
        }
    };
    match done {
        // Another process is at it.
        Err(e) if status(&e) == Some(409) && words(&e).contains("already in progress") => Ok(()),
        Err(e) if !is_missing(&e) => Err(words(&e)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::labels::labels;

    #[test]
    fn dead_or_expired_objects_are_garbage() {
        let now = Timestamp::now();
        let own = Owner::here().expect("Linux");
        let hour = Duration::from_secs(3600);
        assert_eq!(verdict(&labels("r", Some(&own), hour), now), None);
        assert_eq!(verdict(&labels("-", None, hour), now), None);
        let why = verdict(&labels("-", None, Duration::ZERO), now).expect("over");
        assert!(why.contains("lease"), "{why}");
        let mut dead = labels("r", Some(&own), hour);
        let label = format!("{}1", own.label());
        dead.insert(OWNER.to_owned(), label);
        let why = verdict(&dead, now).expect("dead");
        assert!(why.contains("gone"), "{why}");
        let mut foreign = labels("r", None, Duration::ZERO);
        foreign.insert(LEASE.to_owned(), "tomorrow".to_owned());
        assert_eq!(verdict(&foreign, now), None);
        assert_eq!(verdict(&HashMap::new(), now), None);
    }
}
