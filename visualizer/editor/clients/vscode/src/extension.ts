// The extension as VS Code sees it. What can be said without an editor is in the other files.

import * as vscode from "vscode";
import { LanguageClient, type Executable } from "vscode-languageclient/node";

import { outcome, type How, type Place, type Shown } from "./asking";
import { serverWords, terminalWords, type Settings } from "./settings";
import { Steps, type Step } from "./steps";
import { Walking } from "./walking";

const LANGUAGES = ["c", "cpp", "cuda-cpp"];
const PARTS = "**/{compile_commands.json,*.h,*.hpp,*.hh,*.cuh,*.inc,*.def}";

let client: LanguageClient | undefined;

const ask = async (command: string, ...given: unknown[]): Promise<unknown> =>
  client?.sendRequest("workspace/executeCommand", { command, arguments: given });

const changed = vscode.window.createTextEditorDecorationType({
  backgroundColor: new vscode.ThemeColor("diffEditor.insertedTextBackground"),
});

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const tree = new StepsAtTheSide();
  const view = vscode.window.createTreeView("unfold.steps", { treeDataProvider: tree });
  const walking = new Walking(ask, (shown) => {
    void vscode.commands.executeCommand("setContext", "unfold.walking", true);
    mark();
    void tree.show(shown, view);
  });

  const isShown = (document: vscode.TextDocument) =>
    walking.shown !== undefined && sameUri(document.uri, walking.shown.uri);

  /** Has the changed tokens seen, wherever the document is open. */
  const mark = () => {
    const shown = walking.shown;
    for (const editor of vscode.window.visibleTextEditors) {
      if (shown === undefined || !isShown(editor.document)) continue;
      editor.setDecorations(changed, editor.document.getText() === shown.text ? marks(shown) : []);
    }
  };

  /** Does with an answer what is to be done with it. */
  const follow = async (answered: unknown) => {
    const what = outcome(answered);
    if (what.kind === "terminal") return runInTerminal(what.words);
    if (what.kind === "nothing") return;
    walking.take(what.shown);
    await open(what.shown);
    mark();
  };

  const begin = (command: string, how?: How) => async () => {
    const here = atCursor();
    if (here === undefined) return;
    await follow(await ask(command, here.uri, here.place, ...(how === undefined ? [] : [how])));
  };

  const peek = async () => {
    const editor = vscode.window.activeTextEditor;
    const here = atCursor();
    const answered = here && (await ask("unfold.step", here.uri, here.place));
    if (editor === undefined || !walking.take(answered)) return;
    const code = new vscode.Position(answered.code, 0);
    await vscode.commands.executeCommand(
      "editor.action.peekLocations",
      editor.document.uri,
      editor.selection.active,
      [new vscode.Location(vscode.Uri.parse(answered.uri), code)],
      "peek",
    );
  };

  const inDocument = (how: How) => async () => {
    const here = atCursor();
    if (here !== undefined && isShown(here.document)) await walking.expand(here.place, how);
  };

  const commands: Record<string, (...given: any[]) => unknown> = {
    "unfold.here.step": begin("unfold.step"),
    "unfold.here.level": begin("unfold.expand", "level"),
    "unfold.here.whole": begin("unfold.expand", "whole"),
    "unfold.here.argument": begin("unfold.expand", "argument"),
    "unfold.here.open": begin("unfold.open"),
    "unfold.here.peek": peek,
    "unfold.walk.next": walking.next,
    "unfold.walk.back": walking.back,
    "unfold.walk.to": (state: number) => walking.to(state),
    "unfold.walk.level": inDocument("level"),
    "unfold.walk.whole": inDocument("whole"),
    "unfold.walk.keep": () => walking.keep(),
    "unfold.restart": () => start(follow),
  };
  for (const [name, act] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, act));
  }
  context.subscriptions.push(
    view,
    changed,
    view.onDidChangeVisibility(() => {
      if (walking.shown !== undefined) void tree.show(walking.shown, view);
    }),
    vscode.window.onDidChangeVisibleTextEditors(mark),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      const document = editor?.document;
      if (document?.uri.scheme !== "unfold" || isShown(document)) return;
      void ask("unfold.content", document.uri.toString()).then((shown) => walking.take(shown));
    }),
    vscode.workspace.onDidChangeTextDocument((change) => {
      if (change.document.uri.scheme === "unfold") mark();
      else if (change.document.uri.scheme === "file") tree.forget();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("unfold")) void start(follow);
    }),
  );
  await start(follow);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** Starts the server as the settings say, in place of one that runs. */
async function start(follow: (answered: unknown) => Promise<void>): Promise<void> {
  const before = client;
  client = undefined;
  await before?.dispose();
  const words = serverWords(settings(), folder());
  if (words === undefined) return complain("the setting unfold.command is empty");
  const [command, ...args] = words as [string, ...string[]];
  const server: Executable = { command, args }; // a transport that is named is a flag more
  const files = LANGUAGES.map((language) => ({ scheme: "file", language }));
  const made = new LanguageClient("unfold", "Unfold", server, {
    documentSelector: [...files, { scheme: "unfold" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher(PARTS) },
    middleware: {
      // Code lenses and code actions name the server's commands, whose answers nobody else looks at.
      executeCommand: async (name, given, next) => {
        const answered = await next(name, given);
        await follow(answered);
        return answered;
      },
      window: {
        // Who asked for the document opens it, where it was asked for.
        showDocument: async (asked, token, next) =>
          asked.uri.startsWith("unfold:") ? { success: true } : next(asked, token),
      },
    },
  });
  try {
    await made.start();
    client = made;
  } catch (problem) {
    await complain(`${command} can't be started: ${problem instanceof Error ? problem.message : problem}`);
  }
}

async function complain(text: string): Promise<void> {
  const settings = "Open Settings";
  if ((await vscode.window.showErrorMessage(`Unfold: ${text}`, settings)) === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "unfold.");
  }
}

function settings(): Settings {
  const all = vscode.workspace.getConfiguration("unfold");
  return { command: all.get("command", ["unfold", "lsp"]), flags: all.get("flags", []) };
}

function folder(): string {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
}

function atCursor(): { document: vscode.TextDocument; uri: string; place: Place } | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || client === undefined) return undefined;
  const { document, selection } = editor;
  const { line, character } = selection.active;
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  return { document, uri, place: { line, character } };
}

async function open(shown: Shown): Promise<void> {
  const uri = vscode.Uri.parse(shown.uri);
  const document = await vscode.workspace.openTextDocument(uri);
  const code = new vscode.Range(shown.code, 0, shown.code, 0);
  const beside = vscode.window.activeTextEditor?.document.uri.scheme === "file";
  const viewColumn = beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  await vscode.window.showTextDocument(document, { viewColumn, preview: true, selection: code });
}

function sameUri(one: vscode.Uri, other: string): boolean {
  return one.toString() === vscode.Uri.parse(other).toString(); // each writes %40 as it likes
}

function marks(shown: Shown): vscode.Range[] {
  return shown.changed.map(({ line, start, end }) => new vscode.Range(line, start, line, end));
}

function runInTerminal(words: string[]): void {
  const [program, ...rest] = terminalWords(settings(), folder(), words) as [string, ...string[]];
  const task = new vscode.Task(
    { type: "unfold" },
    vscode.TaskScope.Workspace,
    words.slice(0, 2).join(" "),
    "unfold",
    new vscode.ProcessExecution(program, rest),
  );
  void vscode.tasks.executeTask(task);
}

/** The tree of steps in the explorer. */
class StepsAtTheSide implements vscode.TreeDataProvider<Step> {
  private steps: Steps | undefined;
  private of = "";
  private readonly told = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.told.event;

  /** The text has changed, and the steps may have. */
  forget(): void {
    this.of = "";
  }

  async show(shown: Shown, view: vscode.TreeView<Step>): Promise<void> {
    if (this.of !== shown.uri || this.steps?.last !== shown.last) {
      this.of = shown.uri;
      this.steps = new Steps(ask, shown.uri, shown.last);
      this.told.fire();
    }
    view.message = `${shown.state} of ${shown.last}`;
    const step = await this.steps?.leadingTo(shown.state);
    if (step !== undefined && view.visible) await view.reveal(step, { select: true, focus: false });
  }

  getChildren(step?: Step): Promise<Step[]> | Step[] {
    return step?.inside() ?? this.steps?.outermost() ?? [];
  }

  getParent(step: Step): Step | undefined {
    return this.steps?.parent(step);
  }

  getTreeItem(step: Step): vscode.TreeItem {
    const closed = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(step.row.macro, step.hasInside ? closed.Collapsed : closed.None);
    const { macro, text } = step.row;
    item.description = text.startsWith(`${macro} `) ? text.slice(macro.length + 1) : text;
    item.tooltip = step.row.text;
    item.command = { command: "unfold.walk.to", title: "Go There", arguments: [step.row.state] };
    return item;
  }
}
