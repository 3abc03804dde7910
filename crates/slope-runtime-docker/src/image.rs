//! Images from a declared base and content-keyed layers.
//!
//! An image's tag is the hash of its content, so it is built once for all users, and appears
//! complete or not at all. The engine shares layers between images.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bollard::query_parameters::BuildImageOptionsBuilder;
use futures_util::StreamExt;
use slope_sandbox::Spec;
use slope_sandbox::hosted;

use crate::archive::{self, Part};
use crate::error::{is_missing, words};
use crate::labels::{self, IMAGE_LEASE, SHARED};
use crate::{Engine, Error};

/// Version of the build procedure; increase it when the same inputs would give a different image.
const RECIPE: &str = "slope image 1";
/// Name of all images, before their tags.
pub(crate) const REPOSITORY: &str = "slope-sandbox";

/// A layer: where it goes, and the tar file with its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layer {
    target: PathBuf,
    tar: PathBuf,
}

/// The layers of a specification: volumes that many sandboxes share.
pub(crate) fn layers(spec: &Spec) -> Vec<Layer> {
    let shared = spec.volumes.iter().filter(|v| is_layer(v));
    let mut layers: Vec<Layer> = shared
        .filter_map(|volume| {
            Some(Layer {
                target: volume.target.clone(),
                tar: volume.fill.clone()?,
            })
        })
        .collect();
    layers.sort_by(|a, b| a.target.cmp(&b.target));
    layers
}

/// Whether a volume can be a layer of an image.
pub(crate) fn is_layer(volume: &slope_sandbox::Volume) -> bool {
    volume.shared && !volume.writable && volume.collect.is_none() && volume.fill.is_some()
}

/// The images of one base.
#[derive(Debug)]
pub(crate) struct Images {
    engine: Engine,
    /// The base's own id, a hash of its content.
    base: String,
    /// Hashes of tar files by path, with a stamp that detects changes.
    hashes: Mutex<BTreeMap<PathBuf, (Stamp, blake3::Hash)>>,
    /// Existing tags. Locked during a build, so that nothing is built twice.
    built: Mutex<Vec<String>>,
}

/// Length and time of a file.
type Stamp = (u64, Option<std::time::SystemTime>);

impl Images {
    /// Images on top of `base`, which must be there.
    pub(crate) fn of(engine: &Engine, base: &str) -> Result<Self, Error> {
        let found = engine.wait(engine.docker.inspect_image(base));
        let id = match found {
            Ok(image) => image.id.unwrap_or_default(),
            Err(e) if is_missing(&e) => {
                return Err(Error::NoImage {
                    image: base.to_owned(),
                });
            }
            Err(e) => return Err(Error::refused(format!("look at the image `{base}`"))(e)),
        };
        Ok(Self {
            engine: engine.clone(),
            base: id,
            hashes: Mutex::default(),
            built: Mutex::default(),
        })
    }

    /// Id of the base.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The name of the image with these layers, which is built if it does not exist.
    pub(crate) fn ensure(&self, layers: &[Layer]) -> Result<String, Error> {
        let name = format!("{REPOSITORY}:{}", self.key(layers)?);
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if built.contains(&name) {
            return Ok(name);
        }
        let docker = &self.engine.docker;
        match self.engine.wait(docker.inspect_image(&name)) {
            Ok(_) => {}
            Err(e) if is_missing(&e) => self.build(&name, layers)?,
            Err(e) => return Err(Error::refused(format!("look at the image `{name}`"))(e)),
        }
        built.push(name.clone());
        Ok(name)
    }

    /// Forgets an image, because another process may have removed it.
    pub(crate) fn forget(&self, name: &str) {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        built.retain(|known| known != name);
    }

    fn key(&self, layers: &[Layer]) -> Result<String, Error> {
        let mut hasher = blake3::Hasher::new();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        part(RECIPE.as_bytes());
        part(self.base.as_bytes());
        for (name, text) in hosted::etc() {
            part(name.as_bytes());
            part(text.as_bytes());
        }
        for layer in layers {
            part(layer.target.to_string_lossy().as_bytes());
            part(self.hash(&layer.tar)?.as_bytes());
        }
        Ok(hasher.finalize().to_hex()[..32].to_owned())
    }

    fn hash(&self, tar: &Path) -> Result<blake3::Hash, Error> {
        let file = File::open(tar).map_err(Error::file("read", tar))?;
        let meta = file.metadata().map_err(Error::file("read", tar))?;
        let stamp = (meta.len(), meta.modified().ok());
        let known = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((then, hash)) = known.get(tar).filter(|(then, _)| *then == stamp) {
            debug_assert_eq!(*then, stamp);
            return Ok(*hash);
        }
        drop(known);
        let mut hasher = blake3::Hasher::new();
        let mut from = io::BufReader::with_capacity(1 << 20, file);
        io::copy(&mut from, &mut hasher).map_err(Error::file("read", tar))?;
        let hash = hasher.finalize();
        let mut known = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(tar.to_owned(), (stamp, hash));
        Ok(hash)
    }

    fn build(&self, name: &str, layers: &[Layer]) -> Result<(), Error> {
        let options = BuildImageOptionsBuilder::default()
            .dockerfile("Dockerfile")
            .t(name)
            .rm(true)
            .forcerm(true)
            .networkmode("none")
            .labels(&labels::labels(SHARED, None, IMAGE_LEASE))
            .build();
        let context = bollard::body_try_stream(archive::stream(context(&self.base, layers)));
        let engine = &self.engine;
        engine.wait(async {
            let mut steps = engine.docker.build_image(options, None, Some(context));
            while let Some(step) = steps.next().await {
                let refused = |why: String| Error::Refused {
                    what: format!("build the image `{name}`"),
                    why,
                };
                let step = step.map_err(|e| refused(words(&e)))?;
                if let Some(detail) = step.error_detail {
                    return Err(refused(detail.message.unwrap_or_default()));
                }
            }
            Ok(())
        })
    }
}

/// The engine's build context of an image.
fn context(base: &str, layers: &[Layer]) -> Vec<Part> {
    let mut recipe = format!("FROM {base}\nCOPY system/ /\n");
    let mut parts = Vec::new();
    for (number, layer) in layers.iter().enumerate() {
        let below = PathBuf::from(format!("layer{number}"));
        let target = layer.target.strip_prefix("/").unwrap_or(&layer.target);
        // Writing to a text cannot fail.
        let _ = writeln!(recipe, "COPY layer{number}/ /");
        parts.push(Part::Tar(below.join(target), layer.tar.clone()));
    }
    recipe.push_str("USER 0:0\nENTRYPOINT []\nCMD []\n");
    let etc = hosted::etc().into_iter();
    let etc = etc.map(|(name, text)| Part::Text(Path::new("system/etc").join(name), text));
    let mut all = vec![Part::Text("Dockerfile".into(), recipe)];
    all.extend(etc);
    all.extend(parts);
    all
}
