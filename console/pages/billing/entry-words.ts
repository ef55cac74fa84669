import { capital } from "../../parts/format.ts";
import { endpointWords } from "../usage/words.ts";

const MONTHLY = /^monthly credits of the (.+) plan$/;

/** What an entry of the ledger is for. Charges are written down as `endpoint model`, a month by the bare name of its plan. */
export function entryWords(description: string): string {
  const [first = "", ...rest] = description.split(" ");
  const endpoint = endpointWords(first);
  if (endpoint !== first) return `${endpoint}, ${rest.join(" ")}`;
  return capital(description.replace(MONTHLY, (_, plan) => `monthly credits of the ${capital(plan)} plan`));
}
