//! Link options of native modules of Node.

fn main() {
    napi_build::setup();
}
