import type { ChatEvent, ReportedInput, ReportedUsage } from "../../contract.ts";
import { wordsIn } from "./plain-event.ts";

const INPUT_COUNTS = [
  "inputTokens",
  "cachedInputTokens",
  "cacheWriteTokens",
  "audioInputTokens",
] as const satisfies readonly (keyof ReportedInput)[];

type Report = {
  readonly usage: ReportedUsage;
  /** Its answer went on after it: it says nothing of what was written since. */
  isOutdated: boolean;
  /** Its output was told when there was some; before that it is a guess. */
  readonly isOfWords: boolean;
};

/**
 * What a server says of usage while it answers. Some open a stream with a report, some send one with every chunk, and some
 * say zeros at last.
 */
export class UsageReports {
  #ofAll: Report | null = null;
  /** By the number of the answer that each is of. */
  readonly #ofEach: (Report | undefined)[] = [];
  /** A report has said something else of the input than the one before it. */
  #mayHaveNewInput = false;
  #toldInput: ReportedInput | null = null;

  /** On all answers together, or on the one of this number. The last one counts, but for the zeros in it. */
  take(usage: ReportedUsage, { index, isOfWords }: { index: number | undefined; isOfWords: boolean }): void {
    const before = index === undefined ? this.#ofAll : this.#ofEach[index];
    const now = { usage, isOutdated: false, isOfWords };
    const report = before ? after(before, now) : now;
    if (!before || !isSameInput(before.usage, report.usage)) this.#mayHaveNewInput = true;
    if (index === undefined) this.#ofAll = report;
    else this.#ofEach[index] = report;
  }

  /** The answer of this number goes on. */
  wroteOn(index: number): void {
    if (this.#ofAll !== null) this.#ofAll.isOutdated = true;
    const own = this.#ofEach[index];
    if (own !== undefined) own.isOutdated = true;
  }

  /** Some report would be outdated by more words. */
  get isCurrent(): boolean {
    return this.#ofAll?.isOutdated === false || this.#ofEach.some((each) => each?.isOutdated === false);
  }

  /** Of as many answers as came; null where no report covers all that was written. */
  usage(answers: number): ReportedUsage | null {
    if (this.#ofAll?.isOutdated === false) return this.#ofAll.usage;
    const each: ReportedUsage[] = [];
    for (const report of this.#ofEach) if (report?.isOutdated === false) each.push(report.usage);
    return answers > 0 && each.length === answers ? together(each) : null;
  }

  /**
   * Where no report covers all: tells the input, and gives what was last said of the words that had come by then, if
   * more of them came after it.
   */
  tellKnown(out: ChatEvent[]): { readonly usageSoFar?: ReportedUsage } {
    const input = this.input();
    if (input !== null) out.push({ type: "input", usage: input });
    const report = this.#ofAll;
    const isLeast = report?.isOutdated === true && report.isOfWords && report.usage.outputTokens > 0;
    return isLeast ? { usageSoFar: report.usage } : {};
  }

  /** What was read does not change while an answer is written: of it any report will do. */
  input(): ReportedInput | null {
    const all = this.#ofEach.flatMap((report) => (report === undefined ? [] : [report.usage]));
    const usage = this.#ofAll?.usage ?? (all.length === 0 ? null : together(all));
    return usage === null ? null : inputOf(usage);
  }

  /** The input, if anything of it is other than when it was last told; some servers report the same with every chunk. */
  newInput(): ReportedInput | null {
    if (!this.#mayHaveNewInput) return null;
    this.#mayHaveNewInput = false;
    const input = this.input();
    if (input === null || input.inputTokens === 0) return null;
    if (this.#toldInput !== null && isSameInput(this.#toldInput, input)) return null;
    this.#toldInput = input;
    return input;
  }
}

/** A later report takes nothing back: where it says 0, what was read or written by the one before stands. */
function after(before: Report, now: Report): Report {
  const { usage } = now;
  const isUnread = usage.inputTokens === 0 && before.usage.inputTokens > 0;
  const isUnwritten = usage.outputTokens === 0 && before.usage.outputTokens > 0;
  if (!isUnread && !isUnwritten) return now;
  return {
    usage: {
      ...inputOf(isUnread ? before.usage : usage),
      ...outputOf(isUnwritten ? before.usage : usage),
    },
    isOutdated: isUnwritten && before.isOutdated,
    isOfWords: isUnwritten ? before.isOfWords : now.isOfWords,
  };
}

function inputOf(usage: ReportedUsage): ReportedInput {
  const { outputTokens: _written, reasoningTokens: _thought, ...input } = usage;
  return input;
}

function isSameInput(one: ReportedInput, other: ReportedInput): boolean {
  // What is no number is the same as before, too.
  return INPUT_COUNTS.every((name) => Object.is(one[name], other[name]));
}

function outputOf({ outputTokens, reasoningTokens }: ReportedUsage) {
  return { outputTokens, ...(reasoningTokens === undefined ? {} : { reasoningTokens }) };
}

/** Every answer was written, and the prompt of all of them was read once. */
function together(each: readonly ReportedUsage[]): ReportedUsage {
  const outputTokens = each.reduce((sum, usage) => sum + usage.outputTokens, 0);
  const reasoningTokens = each.reduce((sum, usage) => sum + (usage.reasoningTokens ?? 0), 0);
  const input = each.reduce((most, usage) => (usage.inputTokens > most.inputTokens ? usage : most));
  return { ...input, outputTokens, ...(reasoningTokens === 0 ? {} : { reasoningTokens }) };
}

/** Whether the events from this one on tell of anything that the model wrote: blanks, proofs and repetitions are nothing. */
export function tellsWords(events: readonly ChatEvent[], from: number): boolean {
  for (let at = from; at < events.length; at++) {
    const words = wordsIn(events[at]).trim();
    // A call that was given nothing is told with an empty object, by whoever ends it.
    if (events[at]?.type === "tool_start" || (words !== "" && words !== "{}")) return true;
  }
  return false;
}
