import type { UsageSums } from "../../../src/http/console/contract.ts";
import { Stat } from "../../parts/card.tsx";
import { number, shortNumber } from "../../parts/format.ts";
import { savedCredits } from "./saved-credits.ts";

export function Sums({ sums }: { sums: UsageSums }) {
  const tokens = sums.inputTokens + sums.outputTokens;
  return (
    <div className="usage-sums">
      <Stat
        name="Credits spent"
        value={number(sums.credits)}
        note={sums.requests === 0 ? "No requests" : `${perRequest(sums)} a request`}
      />
      <Stat
        name="Requests"
        value={number(sums.requests)}
        note={sums.failed === 0 ? "None failed" : `${number(sums.failed)} failed, free of charge`}
      />
      <Stat
        name="Tokens"
        value={<span title={number(tokens)}>{shortNumber(tokens)}</span>}
        note={`${shortNumber(sums.inputTokens)} in, ${shortNumber(sums.outputTokens)} out`}
      />
      <Stat
        name="Tokens saved"
        value={<span title={number(sums.tokensSaved)}>{shortNumber(sums.tokensSaved)}</span>}
        note={savedCredits(sums.creditsSaved)}
      />
    </div>
  );
}

function perRequest({ credits, requests }: UsageSums): string {
  const each = credits / requests;
  return each >= 10 ? number(Math.round(each)) : each.toFixed(1).replace(".0", "");
}
