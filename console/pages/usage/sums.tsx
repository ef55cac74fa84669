import type { UsageSums } from "../../../gateway/src/http/console/contract.ts";
import { Stat } from "../../parts/card.tsx";
import { Figure } from "../../parts/figure.tsx";
import { figure, shortNumber } from "../../parts/format.ts";
import { savedCredits } from "./saved-credits.ts";

export function Sums({ sums }: { sums: UsageSums }) {
  return (
    <div className="usage-sums">
      <Stat
        name="Credits spent"
        value={<Figure value={sums.credits} />}
        note={sums.requests === 0 ? "No requests" : `${perRequest(sums)} a request`}
      />
      <Stat
        name="Requests"
        value={<Figure value={sums.requests} />}
        note={sums.failed === 0 ? "None failed" : `${figure(sums.failed)} failed`}
      />
      <Stat
        name="Tokens"
        value={<Figure value={sums.inputTokens + sums.outputTokens} />}
        note={`${shortNumber(sums.inputTokens)} in, ${shortNumber(sums.outputTokens)} out`}
      />
      <Stat name="Tokens saved" value={<Figure value={sums.tokensSaved} />} note={savedCredits(sums)} />
    </div>
  );
}

function perRequest({ credits, requests }: UsageSums): string {
  const each = credits / requests;
  return each >= 10 ? figure(Math.round(each)) : each.toFixed(1).replace(".0", "");
}
