import type { ReactNode } from "react";
import { Link } from "wouter";
import { useAsk } from "../../api/use-ask.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Paid } from "./paid.tsx";
import type { Payment } from "./replies.ts";
import { useElapsed } from "./use-elapsed.ts";

/** A result, with its price and a download. */
export function MadeCard(props: {
  readonly prompt: string;
  readonly url: string;
  readonly payment: Payment;
  readonly requestId: string;
  readonly children: ReactNode;
}) {
  return (
    <article className="card made">
      {props.children}
      <div className="made-foot">
        <p dir="auto" className="clip-2" title={props.prompt}>
          {props.prompt}
        </p>
        <div className="spread">
          <Paid payment={props.payment} requestId={props.requestId} />
          <div className="row">
            <LibraryLink requestId={props.requestId} />
            <a href={props.url} download className="button secondary">
              <Icon name="download" />
              Download
            </a>
          </div>
        </div>
      </div>
    </article>
  );
}

/** Links to this very file in the library. */
function LibraryLink({ requestId }: { requestId: string }) {
  const { data } = useAsk("request.get", { requestId });
  const asset = data?.assets[0];
  return (
    <Link href={asset ? `/library/${asset.id}` : "/library"} className="button quiet">
      <Icon name="images" />
      Library
    </Link>
  );
}

/** Placeholder for a result, in its shape. */
export function MakingCard({ words, ratio }: { words: string; ratio?: string | undefined }) {
  const seconds = useElapsed();
  return (
    <div className="card made" role="status">
      <div
        className="making skeleton"
        style={ratio ? { aspectRatio: ratio.replace(":", " / ") } : { height: 92 }}
      >
        <span>
          {words} <span className="number">{seconds} s</span>
        </span>
      </div>
    </div>
  );
}
