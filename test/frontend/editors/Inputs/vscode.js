// Runs the extension with a stand-in for the module `vscode`.
"use strict";
const assert = require("assert");
const fs = require("fs");
const Module = require("module");
const path = require("path");
const [folder, compiler, spec] = process.argv.slice(2);

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
  constructor(a, b, c, d) {
    [this.start, this.end] = a instanceof Position ? [a, b] : [new Position(a, b), new Position(c, d)];
  }
  toString() { return `${this.start.line}:${this.start.character}-${this.end.line}:${this.end.character}`; }
}
/// A class whose constructor keeps its arguments under these names.
function record(...names) {
  return class { constructor(...values) { names.forEach((name, i) => (this[name] = values[i])); } };
}
const providers = {};
const errors = [];
let messages;
const keep = (name) => (selector, provider, ...more) => (providers[name] = { ...provider, more });
const fake = {
  Position, Range,
  Uri: { parse: (text) => ({ scheme: "file", toString: () => text }) },
  Diagnostic: record("range", "message", "severity"),
  DiagnosticRelatedInformation: record("location", "message"),
  Location: record("uri", "range"),
  TextEdit: { replace: (range, newText) => ({ range, newText }) },
  WorkspaceEdit: class {
    constructor() { this.edits = []; }
    replace(uri, range, text) { this.edits.push({ uri, range, text }); }
  },
  CodeAction: record("title", "kind"), CodeActionKind: { QuickFix: "quickfix" },
  CompletionItem: record("label", "kind"), MarkdownString: record("value"),
  SignatureHelp: class {}, SignatureInformation: record("label", "documentation"),
  ParameterInformation: record("label"),
  DocumentSymbol: record("name", "detail", "kind", "range", "selection"),
  DocumentHighlight: record("range", "kind"), Hover: record("contents", "range"),
  InlayHint: record("position", "label", "kind"), SemanticTokens: record("data"),
  SemanticTokensLegend: record("types", "modifiers"),
  window: { showErrorMessage: (text) => errors.push(text) },
  workspace: {
    textDocuments: [],
    getConfiguration: () => ({ get: (name) => (name === "compiler" ? compiler : []) }),
    onDidOpenTextDocument: (f) => (providers.open = f), onDidChangeTextDocument: (f) => (providers.change = f),
    onDidCloseTextDocument: (f) => (providers.close = f),
  },
  languages: {
    createDiagnosticCollection: () => ({ set: (uri, list) => messages(list) }),
    registerDocumentFormattingEditProvider: keep("format"), registerCodeActionsProvider: keep("fix"),
    registerDocumentSymbolProvider: keep("symbols"), registerDefinitionProvider: keep("definition"),
    registerReferenceProvider: keep("references"), registerDocumentHighlightProvider: keep("highlights"),
    registerRenameProvider: keep("rename"), registerHoverProvider: keep("hover"),
    registerCompletionItemProvider: keep("complete"), registerSignatureHelpProvider: keep("help"),
    registerInlayHintsProvider: keep("hints"), registerDocumentSemanticTokensProvider: keep("tokens"),
  },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? fake : load(name, ...rest));
const extension = require(path.join(folder, "extension.js"));

let version = 0;
const document = (text) => ({
  languageId: "pm", uri: fake.Uri.parse("file://" + spec), version: ++version, getText: () => text,
});
const last = (found) => (found instanceof Array ? found[found.length - 1] : found);

// Each pattern is one that the editor takes too, and finds what it should.
function colors() {
  const grammar = JSON.parse(fs.readFileSync(path.join(folder, "syntaxes/pm.tmLanguage.json"), "utf8"));
  const rule = (name) => new RegExp(grammar.repository[name].match, "d");
  const found = (name, text) => (rule(name).exec(text) || [null]).slice().filter(Boolean).pop() || null;
  for (const { include } of grammar.patterns) {
    assert(grammar.repository[include.slice(1)], include);
  }
  assert.strictEqual(found("number", "let r = 3 (Mpc/h)^3 * s"), "(Mpc/h)^3");
  assert.strictEqual(found("number", "100 km/s/Mpc/h"), "km/s/Mpc/h");
  assert.strictEqual(found("number", "2 spacing(d)"), "2");
  assert.strictEqual(found("number", "a = 1e-3"), "1e-3");
  assert.strictEqual(found("statement", "param box: length"), "param");
  assert.strictEqual(found("statement", "f(param = 1)"), null);
  assert.strictEqual(found("keyword", "a.loop"), null);
  assert.strictEqual(found("keyword", "map k in f"), "map");
  assert.strictEqual(found("builtin", "sum(f, over = x)"), "sum");
  assert.strictEqual(found("builtin", "f(index = 1)"), null);
  assert.strictEqual(found("word", "z = 4 over 1"), "over");
  assert.strictEqual(found("word", "over = x"), null);
  assert.strictEqual(found("type", "a: complex field[x]"), "complex field");
}

/// The next list of messages.
const wait = () => new Promise((resolve) => (messages = resolve));

async function main() {
  const text = fs.readFileSync(spec, "utf8");
  let now = document(text);
  fake.workspace.textDocuments.push(now);
  let got = wait();
  await extension.activate({ subscriptions: [] });
  for (const one of await got) {
    console.log(one.severity, String(one.range), one.message, one.code || "");
    one.relatedInformation.forEach((note) => console.log(" ", String(note.location.range), note.message));
  }
  const [fix] = await providers.fix.provideCodeActions(now, new Range(2, 22, 2, 22));
  console.log("fix", fix.title, String(fix.edit.edits[0].range), fix.edit.edits[0].text);
  const [edit] = await providers.format.provideDocumentFormattingEdits(now);
  console.log("formatted", String(edit.range));

  // The fix, as the editor reports it, and the other mistake.
  got = wait();
  const changed = text.replace("smoth", "smooth").replace("2 km/s", "2 Mpc/h");
  now = document(changed);
  providers.change({ document: now, contentChanges: [
    { range: new Range(3, 23, 3, 29), text: "2 Mpc/h" }, { range: new Range(2, 22, 2, 27), text: "smooth" }] });
  console.log("messages", (await got).map((one) => one.message).join());
  const at = new Position(4, 14);
  const hover = await providers.hover.provideHover(now, at);
  console.log("hover", hover.contents.value.split("\n").pop(), String(hover.range));
  console.log("definition", String((await providers.definition.provideDefinition(now, at)).range));
  console.log("references", (await providers.references.provideReferences(
    now, at, { includeDeclaration: true })).length);
  console.log("highlights", (await providers.highlights.provideDocumentHighlights(now, at)).map((one) => one.kind).join());
  console.log("rename", String(await providers.rename.prepareRename(now, at)),
    (await providers.rename.provideRenameEdits(now, at, "size")).edits.length);
  await assert.rejects(providers.rename.provideRenameEdits(now, at, "2"), /is not a name/);
  await assert.rejects(providers.rename.prepareRename(now, new Position(0, 0)), /no name/);
  const symbols = await providers.symbols.provideDocumentSymbols(now);
  console.log("symbols", symbols.map((one) => `${one.name}:${one.kind}`).join());
  const items = await providers.complete.provideCompletionItems(now, at);
  console.log("completion", items.find((one) => one.label === "length").kind, providers.complete.more.join());
  const help = await providers.help.provideSignatureHelp(now, new Position(2, 29));
  console.log("signature", help.signatures[0].label, help.activeParameter);
  const hints = await providers.hints.provideInlayHints(now, new Range(0, 0, 9, 0));
  console.log("hint", last(hints).label);
  console.log("tokens", (await providers.tokens.provideDocumentSemanticTokens(now)).data.length % 5);
  colors();
  console.log("colors: good");
  await extension.deactivate();
  assert.deepStrictEqual(errors, []);

  // A compiler that is not there is reported.
  fake.workspace.getConfiguration = () => ({ get: () => "" });
  process.env.PATH = "";
  await extension.activate({ subscriptions: [] });
  console.log(errors.join());
}

main().catch((error) => {
  console.log(error);
  process.exit(1);
});
