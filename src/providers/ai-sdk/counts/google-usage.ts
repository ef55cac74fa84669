import { isObject } from "../../../kit/index.ts";
import type { ReportedUsage } from "../../contract.ts";
import { isUnreported, NO_NUMBER, UNREPORTED } from "./odd-counts.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the library would not take, or would add up to a count that looks like one. */
const IS_ODD =
  /[tT]okenCount"\s*:\s*(?!\d+\s*[,}]|null\b)|TokensDetails"\s*:\s*(?!\[|null\b)|"usageMetadata"\s*:\s*(?!\{|null\b)/;

/** Beyond any answer, and far from what would make a count of one that is not reported. */
const MOST_WRITTEN = 2 ** 40;

/**
 * Of one answer: its events with reports that the library can read, and that have all that was reported before. The
 * library believes the last one, and takes what that leaves out for nothing.
 */
export function createCountedGeminiEvents(): (data: string) => string {
  const reports = new Reports();
  return (data) => {
    try {
      const event: unknown = JSON.parse(data);
      if (!isObject(event)) return data;
      if (hasWords(event)) reports.wroteOn();
      const { usageMetadata: said } = event;
      const given = IS_ODD.test(data) ? readable(said) : said;
      const told = (isObject(given) ? reports.with(given) : reports.uncounted()) ?? given;
      return told === said ? data : JSON.stringify({ ...event, usageMetadata: told });
    } catch {
      // The library says what is wrong with it.
      return data;
    }
  };
}

class Reports {
  #before: Fields = {};
  /** Something was said that no report since has counted. */
  #isOutdated = false;
  #hasWords = false;
  /** The last count of words that were there by then. */
  #writtenSoFar = 0;

  wroteOn(): void {
    this.#isOutdated = true;
    this.#hasWords = true;
  }

  /** This report and what those before it said beyond it; null where it can stay as it is. */
  with(given: Fields): Fields | null {
    const own = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const all: Fields = { ...this.#before, ...own };
    const { candidatesTokenCount: written } = own;
    if (typeof written === "number") {
      this.#isOutdated = false;
      this.#writtenSoFar = this.#hasWords ? written : 0;
    }
    this.#before = all;
    return this.uncounted() ?? (Object.keys(all).length === Object.keys(own).length ? null : all);
  }

  /**
   * What was reported so far, as no report of the output; null where it is one. Zeros are left out here, so a count that is
   * not there is one only where nothing was said.
   */
  uncounted(): Fields | null {
    const all = this.#before;
    const { promptTokenCount: prompt, candidatesTokenCount: written, thoughtsTokenCount: thought } = all;
    // A report that is not to be believed says so by itself.
    if (!namesCount(all) || Object.values(all).includes(NO_NUMBER) || typeof thought === "number")
      return null;
    const isTotalAlone = typeof prompt !== "number" && typeof written !== "number";
    if (!this.#isOutdated && !isTotalAlone) return null;
    const unreported = UNREPORTED + Math.min(this.#writtenSoFar, MOST_WRITTEN);
    return { ...all, candidatesTokenCount: unreported, promptTokenCount: prompt ?? UNREPORTED };
  }
}

/** What was counted of an answer that has gone on since, in a report that is none of it. */
export function writtenSoFar({ candidatesTokenCount: written }: Fields): number {
  return typeof written === "number" && isUnreported(written) ? Math.max(0, written - UNREPORTED) : 0;
}

function namesCount(report: Fields): boolean {
  return Object.entries(report).some(
    ([name, value]) => name.endsWith("TokenCount") && typeof value === "number",
  );
}

/** Words of the answer itself, or a call: what it thinks has a count of its own. */
function hasWords({ candidates }: Fields): boolean {
  return partsIn(candidates).some(
    (part) => part["functionCall"] !== undefined || (part["thought"] !== true && Boolean(part["text"])),
  );
}

function partsIn(candidates: unknown): readonly Fields[] {
  if (!Array.isArray(candidates)) return [];
  return candidates.flatMap((candidate: unknown) => {
    const content = isObject(candidate) ? candidate["content"] : null;
    const parts = isObject(content) ? content["parts"] : null;
    return Array.isArray(parts) ? parts.filter(isObject) : [];
  });
}

/** A report that the library can read: an answer that is there is not lost for its counts. */
function readable(given: unknown): unknown {
  if (given === undefined || given === null) return given;
  if (!isObject(given)) return { promptTokenCount: NO_NUMBER };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (name.endsWith("TokenCount")) return [[name, isCount(value) ? value : NO_NUMBER]];
      // They say only what a part of the prompt was; a part without a count says nothing.
      if (name.endsWith("TokensDetails"))
        return [[name, Array.isArray(value) ? value.filter(isDetail) : null]];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

function isCount(value: unknown): boolean {
  return value === null || (Number.isSafeInteger(value) && (value as number) >= 0);
}

function isDetail(value: unknown): boolean {
  return isObject(value) && typeof value["modality"] === "string" && typeof value["tokenCount"] === "number";
}

/** There is no answer without a prompt: the library would take what was not counted for nothing. */
export function usageWithoutPrompt(raw: Readonly<Record<string, unknown>>): ReportedUsage | null {
  const { promptTokenCount: prompt, candidatesTokenCount: written, thoughtsTokenCount: thought } = raw;
  if (typeof prompt === "number" || (typeof written !== "number" && typeof thought !== "number")) return null;
  return { inputTokens: Number.NaN, outputTokens: Number.NaN };
}
