// The server's command, as the settings have it.

export interface Settings {
  command: readonly string[];
  flags: readonly string[];
}

/** The words that start the server, or undefined where the settings name none. */
export function serverWords(settings: Settings, folder: string): string[] | undefined {
  const words = [...settings.command, ...settings.flags].map((word) =>
    word.replaceAll("${workspaceFolder}", folder),
  );
  return settings.command.length > 0 && words[0] !== "" ? words : undefined;
}

/** A command line that the server answers with, said with the program that started the server. */
export function terminalWords(settings: Settings, folder: string, words: string[]): string[] {
  const starts = serverWords({ ...settings, flags: [] }, folder) ?? ["unfold", "lsp"];
  const at = starts.lastIndexOf("lsp");
  return [...(at > 0 ? starts.slice(0, at) : starts.slice(0, 1)), ...words.slice(1)];
}
