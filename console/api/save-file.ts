import type { Downloads, Problem } from "../../gateway/src/http/console/contract.ts";
import { AskError, UNREACHABLE } from "./ask.ts";

const BROKEN: Problem = {
  code: "failed",
  message: "The download was interrupted, so nothing was saved. Try again.",
};
/** The browser may still be reading the file that it was given to save. */
const KEPT_MS = 60_000;

/**
 * Fetched by script and not by a link: a page does not learn that a linked file was refused or cut off. The file is
 * held in memory until it is saved, which is fine for a few megabytes.
 */
export async function saveFile<Name extends keyof Downloads>(
  name: Name,
  input: Downloads[Name],
): Promise<void> {
  const path = `/console/api/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await fetch(path, { credentials: "same-origin" }).catch(() => {
    throw new AskError(UNREACHABLE);
  });
  if (!response.ok) throw new AskError(await problemIn(response));
  const file = await response.blob().catch(() => {
    throw new AskError(BROKEN);
  });
  const fileName = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  hand(file, fileName ?? name);
}

async function problemIn(response: Response): Promise<Problem> {
  const answer = (await response.json().catch(() => null)) as { problem?: Partial<Problem> } | null;
  const problem = answer?.problem;
  return problem?.code === undefined ? UNREACHABLE : (problem as Problem);
}

function hand(file: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
