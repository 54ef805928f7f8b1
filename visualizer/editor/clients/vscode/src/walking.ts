// The document that is stepped through: where it is, and where its keys lead.

import { type Ask, type How, isShown, type Place, type Shown } from "./asking";

export class Walking {
  shown: Shown | undefined;

  /** `moved` is told of each state that the document comes to. */
  constructor(
    private readonly ask: Ask,
    private readonly moved: (shown: Shown) => void,
  ) {}

  /** Of what a command answered: whether it is a document, which is now the one that steps. */
  take(answered: unknown): answered is Shown {
    if (!isShown(answered)) return false;
    this.shown = answered;
    this.moved(answered);
    return true;
  }

  next = () => this.go("unfold.next");
  back = () => this.go("unfold.back");
  to = (state: number) => this.go("unfold.to", state);
  expand = (place: Place, how: How) => this.go("unfold.expandHere", place, how);

  /** Puts the line as it is into the text; the server says why, where it can't. */
  async keep(): Promise<boolean> {
    const answered = this.shown && (await this.ask("unfold.keep", this.shown.uri));
    return typeof answered === "object" && answered !== null && "applied" in answered
      ? answered.applied === true
      : false;
  }

  private async go(command: string, ...given: unknown[]): Promise<Shown | undefined> {
    const uri = this.shown?.uri;
    if (uri === undefined) return undefined;
    const answered = await this.ask(command, uri, ...given);
    // Another document may have been opened in the meantime.
    if (this.shown?.uri === uri) this.take(answered);
    return this.shown;
  }
}
