// Connects the editor with the language server, `pmc lsp`.
"use strict";
const vscode = require("vscode");
const { Server } = require("./server");

const selector = { language: "pm", scheme: "file" };
let server = null;

//===--- From the protocol to the editor ---===//

const toRange = ({ start, end }) => new vscode.Range(start.line, start.character, end.line, end.character);
const toUri = (uri) => vscode.Uri.parse(uri);
const toLocation = ({ uri, range }) => new vscode.Location(toUri(uri), toRange(range));
const toMarkdown = (text) => new vscode.MarkdownString(text);

function toDiagnostic(found) {
  // The editor counts severities from 0.
  const result = new vscode.Diagnostic(toRange(found.range), found.message, found.severity - 1);
  result.source = found.source;
  result.code = found.code;
  result.relatedInformation = (found.relatedInformation || []).map(
    (note) => new vscode.DiagnosticRelatedInformation(toLocation(note.location), note.message));
  return result;
}

function toWorkspaceEdit({ changes }) {
  const edit = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(changes)) {
    edits.forEach(({ range, newText }) => edit.replace(toUri(uri), toRange(range), newText));
  }
  return edit;
}

function toAction(found) {
  const action = new vscode.CodeAction(found.title, vscode.CodeActionKind.QuickFix);
  action.edit = toWorkspaceEdit(found.edit);
  action.diagnostics = found.diagnostics.map(toDiagnostic);
  action.isPreferred = found.isPreferred;
  return action;
}

function toCompletion(found) {
  const item = new vscode.CompletionItem(found.label, found.kind - 1);
  item.detail = found.detail;
  item.sortText = found.sortText;
  if (found.documentation) {
    item.documentation = toMarkdown(found.documentation);
  }
  return item;
}

function toSignatures(found) {
  const help = new vscode.SignatureHelp();
  help.activeSignature = found.activeSignature;
  help.activeParameter = found.activeParameter;
  help.signatures = found.signatures.map((one) => {
    const signature = new vscode.SignatureInformation(one.label, one.documentation);
    signature.parameters = one.parameters.map(({ label }) => new vscode.ParameterInformation(label));
    return signature;
  });
  return help;
}

const toSymbol = (found) => new vscode.DocumentSymbol(
  found.name, found.detail, found.kind - 1, toRange(found.range), toRange(found.selectionRange));

function toHint({ position, label, kind }) {
  return new vscode.InlayHint(new vscode.Position(position.line, position.character), label, kind);
}

//===--- Requests ---===//

/// The answer to a request about a document, converted; undefined for null.
async function ask(method, document, more, convert) {
  const answer = await server.request(`textDocument/${method}`, { textDocument: { uri: String(document.uri) }, ...more });
  return answer === null ? undefined : convert(answer);
}

const position = ({ line, character }) => ({ position: { line, character } });
const rangeOf = ({ start, end }) => ({ range: { start: position(start).position, end: position(end).position } });
const each = (convert) => (list) => list.map(convert);

function registerProviders(capabilities) {
  const { languages } = vscode;
  const { legend } = capabilities.semanticTokensProvider;
  return [
    languages.registerDocumentFormattingEditProvider(selector, {
      provideDocumentFormattingEdits: (document) => ask(
        "formatting", document, { options: { tabSize: 2, insertSpaces: true } },
        each(({ range, newText }) => vscode.TextEdit.replace(toRange(range), newText))),
    }),
    languages.registerCodeActionsProvider(selector, {
      provideCodeActions: (document, range) => ask(
        "codeAction", document, { ...rangeOf(range), context: { diagnostics: [] } }, each(toAction)),
    }),
    languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document) => ask("documentSymbol", document, {}, each(toSymbol)),
    }),
    languages.registerDefinitionProvider(selector, {
      provideDefinition: (document, at) => ask("definition", document, position(at), toLocation),
    }),
    languages.registerReferenceProvider(selector, {
      provideReferences: (document, at, context) => ask(
        "references", document, { ...position(at), context }, each(toLocation)),
    }),
    languages.registerDocumentHighlightProvider(selector, {
      provideDocumentHighlights: (document, at) => ask(
        "documentHighlight", document, position(at),
        each(({ range, kind }) => new vscode.DocumentHighlight(toRange(range), kind - 1))),
    }),
    languages.registerRenameProvider(selector, {
      prepareRename: async (document, at) => {
        const range = await ask("prepareRename", document, position(at), toRange);
        if (!range) {
          throw new Error("rename: there is no name that can be changed here");
        }
        return range;
      },
      provideRenameEdits: (document, at, newName) => ask(
        "rename", document, { ...position(at), newName }, toWorkspaceEdit),
    }),
    languages.registerHoverProvider(selector, {
      provideHover: (document, at) => ask("hover", document, position(at), ({ contents, range }) => new vscode.Hover(
        toMarkdown(contents.value), toRange(range))),
    }),
    languages.registerCompletionItemProvider(selector, {
      provideCompletionItems: (document, at) => ask(
        "completion", document, position(at), ({ items }) => items.map(toCompletion)),
    }, ...capabilities.completionProvider.triggerCharacters),
    languages.registerSignatureHelpProvider(selector, {
      provideSignatureHelp: (document, at) => ask("signatureHelp", document, position(at), toSignatures),
    }, ...capabilities.signatureHelpProvider.triggerCharacters),
    languages.registerInlayHintsProvider(selector, {
      provideInlayHints: (document, range) => ask("inlayHint", document, rangeOf(range), each(toHint)),
    }),
    languages.registerDocumentSemanticTokensProvider(selector, {
      provideDocumentSemanticTokens: (document) => ask(
        "semanticTokens/full", document, {}, ({ data }) => new vscode.SemanticTokens(Uint32Array.from(data))),
    }, new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers)),
  ];
}

//===--- Documents ---===//

const isOurs = (document) => document.languageId === "pm" && document.uri.scheme === "file";

function didOpen(document) {
  if (isOurs(document)) {
    server.notify("textDocument/didOpen", { textDocument: {
      uri: String(document.uri), languageId: "pm", version: document.version, text: document.getText() } });
  }
}

function didChange({ document, contentChanges }) {
  if (isOurs(document) && contentChanges.length > 0) {
    // The editor orders them so that each range is valid after those before.
    server.notify("textDocument/didChange", {
      textDocument: { uri: String(document.uri), version: document.version },
      contentChanges: contentChanges.map(({ range, text }) => ({ ...rangeOf(range), text })),
    });
  }
}

function didClose(document) {
  if (isOurs(document)) {
    server.notify("textDocument/didClose", { textDocument: { uri: String(document.uri) } });
  }
}

async function activate(context) {
  const settings = vscode.workspace.getConfiguration("pm");
  const collection = vscode.languages.createDiagnosticCollection("pm");
  server = new Server(settings.get("compiler") || "pmc", ["lsp", ...(settings.get("arguments") || [])],
    (method, params) => {
      if (method === "textDocument/publishDiagnostics") {
        collection.set(toUri(params.uri), params.diagnostics.map(toDiagnostic));
      }
    },
    (why) => vscode.window.showErrorMessage(`pm: ${why.trim()}; reload the window to start it again`));
  try {
    const { capabilities } = await server.request("initialize", {
      processId: process.pid, rootUri: null, capabilities: {} });
    server.notify("initialized", {});
    context.subscriptions.push(
      collection,
      ...registerProviders(capabilities),
      vscode.workspace.onDidOpenTextDocument(didOpen),
      vscode.workspace.onDidChangeTextDocument(didChange),
      vscode.workspace.onDidCloseTextDocument(didClose));
    vscode.workspace.textDocuments.forEach(didOpen);
  } catch (error) {
    // The server has ended, which has been shown.
  }
}

const deactivate = () => server && server.stop();

module.exports = { activate, deactivate };
