import type { ReactNode } from "react";
import { Link } from "wouter";
import type { BalanceNow } from "../../../gateway/src/http/console/contract.ts";
import { useSigned } from "../../api/session.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Card } from "../../parts/card.tsx";
import { Code } from "../../parts/copy.tsx";
import { Icon } from "../../parts/icons/icon.tsx";
import { firstCall } from "../keys/first-call.ts";
import { ALL_SCOPES } from "../keys/scopes.ts";
import { snippetsFor } from "../keys/snippets.ts";

/** Shown until the first call: what to do with a new account. */
export function FirstSteps({ balance }: { balance: BalanceNow }) {
  const { administers, service } = useSigned();
  const needsCredits = administers && balance.level === "empty";
  const models = useAsk("model.list", {}, { isOff: !administers });
  const { publicUrl, aliasPrefix } = service;
  const call = firstCall({ scopes: ALL_SCOPES, models: models.data?.models, aliasPrefix });
  const [curl] = call ? snippetsFor({ publicUrl, secret: "$BURSAR_KEY", call }) : [];
  return (
    <Card title="First steps">
      <ol className="steps">
        {needsCredits && (
          <Step icon={<Icon name="coins" />} title="Add credits">
            <p>Calls are paid for with credits. You have none yet.</p>
            <Link href="/billing" className="button primary">
              Get credits
            </Link>
          </Step>
        )}
        <Step icon={<Icon name="sparkles" />} title="Try it right here">
          <p>Chat with a model, or create an image, speech, music or a video. No key needed.</p>
          <Link href="/playground" className={needsCredits ? "button secondary" : "button primary"}>
            Open the playground
          </Link>
        </Step>
        {administers && (
          <Step icon={<Icon name="key-round" />} title="Create an API key">
            <p>Your programs use it to call the gateway. It is shown once, with code ready to paste.</p>
            <Link href="/keys" className="button secondary">
              Create a key
            </Link>
          </Step>
        )}
        {administers && curl && (
          <Step icon={<Icon name="terminal" />} title="Make the first call">
            <p>It appears here within seconds, with what it cost.</p>
            <Code text={curl.text} what="curl line" />
          </Step>
        )}
      </ol>
    </Card>
  );
}

function Step({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <li className="step">
      {icon}
      <div className="stack">
        <h3>{title}</h3>
        {children}
      </div>
    </li>
  );
}
