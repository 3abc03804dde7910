//! JavaScript and TypeScript.

use super::{Dependency, NewFile, Returns, Style, Utility};

macro_rules! utilities {
    ($any:literal, $list:literal, $number:literal, $text:literal, $record:literal) => {
        &[
            Utility {
                name: "larger of",
                replaces: "Math.max",
                arguments: 2,
                text: concat!(
                    "\
function {name}(first",
                    $number,
                    ", second",
                    $number,
                    ") {
    if (first > second) {
        return first;
    }
    return second;
}
"
                ),
            },
            Utility {
                name: "smaller of",
                replaces: "Math.min",
                arguments: 2,
                text: concat!(
                    "\
function {name}(first",
                    $number,
                    ", second",
                    $number,
                    ") {
    if (first < second) {
        return first;
    }
    return second;
}
"
                ),
            },
            Utility {
                name: "is list",
                replaces: "Array.isArray",
                arguments: 1,
                text: concat!(
                    "\
function {name}(value",
                    $any,
                    ") {
    return Object.prototype.toString.call(value) === '[object Array]';
}
"
                ),
            },
            Utility {
                name: "get keys",
                replaces: "Object.keys",
                arguments: 1,
                text: concat!(
                    "\
function {name}(object",
                    $record,
                    ") {
    const keys",
                    $list,
                    " = [];
    for (const key in object) {
        if (Object.prototype.hasOwnProperty.call(object, key)) {
            keys.push(key);
        }
    }
    return keys;
}
"
                ),
            },
            Utility {
                name: "copy properties",
                replaces: "Object.assign",
                arguments: 2,
                text: concat!(
                    "\
function {name}(target",
                    $any,
                    ", source",
                    $any,
                    ") {
    for (const key of Object.keys(source)) {
        target[key] = source[key];
    }
    return target;
}
"
                ),
            },
            Utility {
                name: "chunk list",
                replaces: "",
                arguments: 0,
                text: concat!(
                    "\
function {name}(items",
                    $list,
                    ", size",
                    $number,
                    ") {
    const chunks",
                    $any,
                    " = [];
    let current",
                    $list,
                    " = [];
    for (let i = 0; i < items.length; i++) {
        current.push(items[i]);
        if (current.length === size) {
            chunks.push(current);
            current = [];
        }
    }
    if (current.length > 0) {
        chunks.push(current);
    }
    return chunks;
}
"
                ),
            },
            Utility {
                name: "make slug",
                replaces: "",
                arguments: 0,
                text: concat!(
                    "\
function {name}(text",
                    $text,
                    ") {
    let result = '';
    for (const char of text.toLowerCase()) {
        if (/[a-z0-9]/.test(char)) {
            result += char;
        } else if (result && !result.endsWith('-')) {
            result += '-';
        }
    }
    return result.replace(/-$/, '');
}
"
                ),
            },
            Utility {
                name: "group items by",
                replaces: "",
                arguments: 0,
                text: concat!(
                    "\
function {name}(items",
                    $list,
                    ", key",
                    $text,
                    ") {
    const groups",
                    $any,
                    " = {};
    for (const item of items) {
        const value = item[key];
        if (!groups[value]) {
            groups[value] = [];
        }
        groups[value].push(item);
    }
    return groups;
}
"
                ),
            },
        ]
    };
}

const ADAPTERS: NewFile = NewFile {
    kind: "adapter-family",
    name: "exportFormats{suffix}",
    text: "\
// Writers of the export, one for each format.
const csv = {
  suffix: '.csv',
  write: (rows) => rows.map((row) => row.join(',')).join('\\n'),
};

const tsv = {
  suffix: '.tsv',
  write: (rows) => rows.map((row) => row.join('\\t')).join('\\n'),
};

const json = {
  suffix: '.json',
  write: (rows) => JSON.stringify(rows),
};

export const writers = [csv, tsv, json];
",
};

const TABLE: NewFile = NewFile {
    kind: "table-driven",
    name: "statusNames{suffix}",
    text: "\
const NAMES = {
  200: 'ok',
  201: 'created',
  204: 'empty',
  400: 'invalid',
  404: 'missing',
  409: 'conflict',
  500: 'broken',
};

export function statusName(code) {
  return NAMES[code] || 'other';
}
",
};

const IMPLEMENTATION: NewFile = NewFile {
    kind: "interface-implementation",
    name: "stores{suffix}",
    text: "\
// Stores of values, with the same methods.
export class MemoryStore {
  constructor() {
    this.values = new Map();
  }

  get(key) {
    return this.values.get(key);
  }

  put(key, value) {
    this.values.set(key, value);
  }
}

export class NullStore {
  get() {
    return undefined;
  }

  put() {}
}
",
};

const TYPED: &[NewFile] = &[
    NewFile {
        kind: "adapter-family",
        name: "exportFormats{suffix}",
        text: "\
// Writers of the export, one for each format.
export interface Writer {
  suffix: string;
  write(rows: string[][]): string;
}

const csv: Writer = {
  suffix: '.csv',
  write: (rows) => rows.map((row) => row.join(',')).join('\\n'),
};

const tsv: Writer = {
  suffix: '.tsv',
  write: (rows) => rows.map((row) => row.join('\\t')).join('\\n'),
};

const json: Writer = {
  suffix: '.json',
  write: (rows) => JSON.stringify(rows),
};

export const writers: Writer[] = [csv, tsv, json];
",
    },
    NewFile {
        kind: "interface-implementation",
        name: "stores{suffix}",
        text: "\
export interface Store {
  get(key: string): string | undefined;
  put(key: string, value: string): void;
}

export class MemoryStore implements Store {
  private readonly values = new Map<string, string>();

  get(key: string): string | undefined {
    return this.values.get(key);
  }

  put(key: string, value: string): void {
    this.values.set(key, value);
  }
}

export class NullStore implements Store {
  get(_key: string): string | undefined {
    return undefined;
  }

  put(_key: string, _value: string): void {}
}
",
    },
    GENERATED,
    MIGRATION,
];

const GENERATED: NewFile = NewFile {
    kind: "generated-code",
    name: "messages.generated{suffix}",
    text: "\
// Code generated by protoc-gen-es. DO NOT EDIT.
/* eslint-disable */
export function writeId(out, value) {
  out.push((1 << 3) | 2);
  out.push(value.length);
  out.push(...value);
}

export function writeName(out, value) {
  out.push((2 << 3) | 2);
  out.push(value.length);
  out.push(...value);
}

export function writeKind(out, value) {
  out.push((3 << 3) | 2);
  out.push(value.length);
  out.push(...value);
}
",
};

const MIGRATION: NewFile = NewFile {
    kind: "migration",
    name: "migrations/20240312_add_labels{suffix}",
    text: "\
exports.up = async (db) => {
  await db.schema.createTable('labels', (table) => {
    table.increments('id');
    table.string('name').notNullable().unique();
  });
};

exports.down = async (db) => {
  await db.schema.dropTable('labels');
};
",
};

const DEPENDENCIES: &[Dependency] = &[
    Dependency {
        import: "const fs = require('fs');",
        word: "fs",
        new_import: "const fs = require('fs-extra');",
        new_word: "fs",
        members: &[],
        manifest: ("package.json", "\"fs-extra\": \"^11.2.0\""),
    },
    Dependency {
        import: "import fs from 'fs';",
        word: "fs",
        new_import: "import fs from 'fs-extra';",
        new_word: "fs",
        members: &[],
        manifest: ("package.json", "\"fs-extra\": \"^11.2.0\""),
    },
    Dependency {
        import: "var path = require('path');",
        word: "path",
        new_import: "var path = require('upath');",
        new_word: "path",
        members: &[],
        manifest: ("package.json", "\"upath\": \"^2.0.1\""),
    },
    Dependency {
        import: "const path = require('path');",
        word: "path",
        new_import: "const path = require('upath');",
        new_word: "path",
        members: &[],
        manifest: ("package.json", "\"upath\": \"^2.0.1\""),
    },
    Dependency {
        import: "var path = require('node:path');",
        word: "path",
        new_import: "var path = require('upath');",
        new_word: "path",
        members: &[],
        manifest: ("package.json", "\"upath\": \"^2.0.1\""),
    },
    Dependency {
        import: "import path from 'path';",
        word: "path",
        new_import: "import path from 'upath';",
        new_word: "path",
        members: &[],
        manifest: ("package.json", "\"upath\": \"^2.0.1\""),
    },
    Dependency {
        import: "import * as path from 'path';",
        word: "path",
        new_import: "import * as path from 'upath';",
        new_word: "path",
        members: &[],
        manifest: ("package.json", "\"upath\": \"^2.0.1\""),
    },
];

const RAISES: &[(&str, &str)] = &[
    ("throw new TypeError(", "throw new Error("),
    ("throw new RangeError(", "throw new Error("),
    ("throw new SyntaxError(", "throw new Error("),
];

const LOGS: &[(&str, &str)] = &[
    ("logger.info(", "console.log("),
    ("logger.debug(", "console.log("),
    ("logger.warn(", "console.log("),
    ("logger.error(", "console.log("),
    ("log.info(", "console.log("),
    ("log.debug(", "console.log("),
    ("log.error(", "console.log("),
    ("debug(", "console.log("),
];

pub(super) static JAVASCRIPT: Style = Style {
    ids: &["javascript"],
    unused_imports: &[
        ("const fs = require('fs');", "fs"),
        ("const path = require('path');", "path"),
        ("const os = require('os');", "os"),
        ("const util = require('util');", "util"),
        ("import fs from 'fs';", "fs"),
        ("import path from 'path';", "path"),
    ],
    unused_locals: &[
        ("const retryCount = 0;", "retryCount"),
        ("const isValid = false;", "isValid"),
        ("const defaultTimeout = 3000;", "defaultTimeout"),
        ("const tempItems = [];", "tempItems"),
    ],
    utilities: utilities!("", "", "", "", ""),
    files: &[ADAPTERS, TABLE, IMPLEMENTATION, GENERATED, MIGRATION],
    scratch: &[
        (
            "debug-{stem}{suffix}",
            "const it = require('./{stem}');\n\nconsole.log(it);\nconsole.log('it works');\n",
        ),
        (
            "tmp-{stem}{suffix}",
            "// quick check, delete later\nconsole.log(Object.keys(require('./{stem}')));\n",
        ),
    ],
    ..BASE
};

pub(super) static TYPESCRIPT: Style = Style {
    ids: &["typescript", "tsx"],
    unused_imports: &[
        ("import * as fs from 'fs';", "fs"),
        ("import * as path from 'path';", "path"),
        ("import * as os from 'os';", "os"),
        ("import { inspect } from 'util';", "inspect"),
    ],
    utilities: utilities!(
        ": any",
        ": any[]",
        ": number",
        ": string",
        ": Record<string, unknown>"
    ),
    mode_param: "mode: string",
    files: TYPED,
    scratch: &[
        (
            "debug-{stem}{suffix}",
            "import * as it from './{stem}';\n\nconsole.log(it);\nconsole.log('it works');\n",
        ),
        (
            "tmp-{stem}{suffix}",
            "// quick check, delete later\nimport * as it from './{stem}';\n\nconsole.log(Object.keys(it));\n",
        ),
    ],
    ..BASE
};

const BASE: Style = Style {
    ids: &[],
    step: "  ",
    returns: Returns::Dynamic,
    has_free_functions: true,
    types_first: false,
    shares_types: false,
    snake: false,
    braces: true,
    bracketed: true,
    gap: 1,
    comment: "// ",
    end: ";",
    nil: Some("{x} == null"),
    leave: "return null;",
    print: "console.log('{text}');",
    print_needs: "",
    not: "!{x}",
    unused_imports: &[],
    unused_locals: &[
        ("const retryCount = 0;", "retryCount"),
        ("const isValid = false;", "isValid"),
        ("const defaultTimeout = 3000;", "defaultTimeout"),
        ("const tempItems: string[] = [];", "tempItems"),
    ],
    utilities: &[],
    logged: "try {\n{body}\n} catch (error) {\n    console.error('Error:', error);\n}",
    swallowed: "try {\n{body}\n} catch (error) {\n    // ignore\n}",
    catch_all: "",
    raises: RAISES,
    logs: LOGS,
    flag_param: "{flag} = false",
    has_defaults: true,
    flags: ("false", "true"),
    mode_param: "mode",
    mode_test: "mode === '{name}'",
    mode_arg: "'{name}'",
    declare: "const {name} = {value};",
    dependencies: DEPENDENCIES,
    files: &[],
    scratch: &[],
};
