// Turns the TypeScript of a workspace into JavaScript: transpile.js FROM TO [PACKAGES].
// File by file, without looking at types; everything else is copied. Exit code 1 where a file cannot be read.
'use strict'
const fs = require('fs')
const path = require('path')
const ts = require('./typescript.js')

const SKIPPED = new Set(['node_modules', '.git'])
const [from, to, packages] = process.argv.slice(2)
let failed = false

// Whether a file below `folder` is a module in the sense of the nearest package.json.
function isModule (folder) {
  for (let at = folder; at.startsWith(from); at = path.dirname(at)) {
    const manifest = path.join(at, 'package.json')
    if (fs.existsSync(manifest)) {
      try { return JSON.parse(fs.readFileSync(manifest, 'utf8')).type === 'module' } catch { return false }
    }
  }
  return false
}

function emit (file, target) {
  const kind = /\.mts$/.test(file) || (!/\.cts$/.test(file) && isModule(path.dirname(file)))
  const done = ts.transpileModule(fs.readFileSync(file, 'utf8'), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: {
      module: kind ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
      rewriteRelativeImportExtensions: true
    }
  })
  for (const wrong of done.diagnostics) {
    const at = wrong.file && wrong.start !== undefined ? wrong.file.getLineAndCharacterOfPosition(wrong.start) : { line: 0, character: 0 }
    const text = ts.flattenDiagnosticMessageText(wrong.messageText, '\n')
    console.error(`${path.relative(from, file)}:${at.line + 1}:${at.character + 1}: TS${wrong.code}: ${text}`)
    failed = true
  }
  fs.writeFileSync(target.replace(/ts$/, 'js'), done.outputText)
}

function walk (folder, out) {
  fs.mkdirSync(out, { recursive: true })
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const [file, target] = [path.join(folder, entry.name), path.join(out, entry.name)]
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) walk(file, target)
    } else if (entry.isFile()) {
      if (/\.d\.[cm]?ts$/.test(entry.name)) continue
      if (/\.[cm]?ts$/.test(entry.name)) emit(file, target)
      else fs.copyFileSync(file, target)
    }
  }
}

walk(from, to)
if (packages !== undefined && fs.existsSync(packages)) fs.symlinkSync(packages, path.join(to, 'node_modules'))
process.exitCode = failed ? 1 : 0
