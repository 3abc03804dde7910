//! Rule packs in ast-grep's YAML format, compiled and matched.
