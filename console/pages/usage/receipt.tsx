import { Link } from "wouter";
import type { AssetRow, Receipt } from "../../../gateway/src/http/console/contract.ts";
import { useAsk } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Elapsed } from "../../parts/elapsed.tsx";
import { credits, duration, moment, number } from "../../parts/format.ts";
import { Answer, Notice, Skeleton } from "../../parts/states.tsx";
import { useVideoStill } from "../../parts/use-video-still.ts";
import { type Fact, Facts } from "./facts.tsx";
import { cacheCredits, savedCredits } from "./saved-credits.ts";
import { StatusBadge } from "./status-badge.tsx";
import { endpointWords, endWords } from "./words.ts";

const RUNNING_EVERY_MS = 2_000;

/** Everything about one request; polled while it runs. */
export function ReceiptDialog({ requestId, onClose }: { requestId: string; onClose(): void }) {
  const receipt = useAsk(
    "request.get",
    { requestId },
    { everyMs: (found) => (found?.status === "processing" ? RUNNING_EVERY_MS : false) },
  );
  return (
    <Dialog title="Receipt" isWide onClose={onClose}>
      <Answer
        of={receipt}
        waiting={<Skeleton height={420} />}
        whenGone={<Button onClick={onClose}>Show usage</Button>}
      >
        {(found) => <ReceiptBody receipt={found} />}
      </Answer>
    </Dialog>
  );
}

function ReceiptBody({ receipt }: { receipt: Receipt }) {
  return (
    <div className="stack receipt">
      <div className="spread">
        <div className="named">
          <strong className="whole-name" translate="no">
            {receipt.model}
          </strong>
          <span className="dim small">
            {endpointWords(receipt.endpoint)}, {moment(receipt.createdAt)}
          </span>
        </div>
        <div className="receipt-sum">
          <StatusBadge status={receipt.status} />
          <span className="stat-value">
            {receipt.status === "processing" ? (
              <Elapsed since={receipt.createdAt} />
            ) : (
              credits(receipt.credits)
            )}
          </span>
        </div>
      </div>
      <EndNotice receipt={receipt} />
      <div className="grid-2">
        <Facts title="Credits" facts={moneyFacts(receipt)} />
        <Facts title="Work" facts={workFacts(receipt)} />
      </div>
      <Assets receipt={receipt} />
      <Facts title="Identification" facts={whichFacts(receipt)} />
    </div>
  );
}

function EndNotice({ receipt }: { receipt: Receipt }) {
  const words = receipt.isGivenUp
    ? "It was cut off on our side, so its hold was released. It cost nothing."
    : endWords(receipt);
  return words === null ? null : <Notice look="warn">{words}</Notice>;
}

function moneyFacts(receipt: Receipt): readonly Fact[] {
  const { held, chargedSubscription, chargedAnytime, writtenOff, leftAfter, settledAt } = receipt;
  const isOver = settledAt !== null;
  return [
    ["Held before it started", number(held)],
    ["Charged from the plan's credits", isOver && number(chargedSubscription)],
    ["Charged from anytime credits", isOver && number(chargedAnytime)],
    ["Released", isOver && number(Math.max(0, held - receipt.credits))],
    ["Written off", writtenOff > 0 && number(writtenOff)],
    ["Balance afterwards", leftAfter !== null && number(leftAfter)],
    ["Price", receipt.price],
    ["Charged for", receipt.measured?.work ?? null],
  ];
}

function workFacts(receipt: Receipt): readonly Fact[] {
  const { inputTokens, outputTokens, tokensSaved, latencyMs, settledAt, measured } = receipt;
  const hasTokens = inputTokens + outputTokens > 0;
  return [
    ["Tokens in", hasTokens && withParts(inputTokens, measured?.input)],
    ["Tokens out", hasTokens && withParts(outputTokens, measured?.output)],
    [
      "Tokens saved",
      hasTokens && (tokensSaved === 0 ? "0" : `${number(tokensSaved)}. ${savedCredits(receipt)}`),
    ],
    ["Provider's cache", typeof receipt.cacheSaved === "number" && cacheCredits(receipt.cacheSaved)],
    ["Began", moment(receipt.createdAt)],
    ["Ended", settledAt !== null && moment(settledAt)],
    ["Took", latencyMs !== null && duration(latencyMs)],
    ["Served by", receipt.target],
  ];
}

function withParts(tokens: number, parts: string | null = null): string {
  return parts === null ? number(tokens) : `${number(tokens)}, ${parts}`;
}

function whichFacts(receipt: Receipt): readonly Fact[] {
  return [
    ["Key", receipt.keyName],
    ["Member", receipt.memberName],
    [
      "Request id",
      <span key="id" className="id-cell">
        <code translate="no">{receipt.requestId}</code>
        <CopyButton text={receipt.requestId} what="request id" />
      </span>,
    ],
  ];
}

function Assets({ receipt: { assets } }: { receipt: Receipt }) {
  if (assets.length === 0) return null;
  return (
    <section>
      <h3>Generated files</h3>
      <ul className="receipt-assets">
        {assets.map((asset) => (
          <li key={asset.id}>
            <Link href={`/library/${asset.id}`}>
              <Thumbnail asset={asset} />
              {ASSET_WORDS[asset.type]}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const ASSET_WORDS: Readonly<Record<AssetRow["type"], string>> = {
  image: "Open the image",
  video: "Open the video",
  audio: "Open the audio",
};

/** Null for audio. */
function Thumbnail({ asset: { type, url } }: { asset: AssetRow }) {
  const still = useVideoStill(url, type === "video");
  if (type === "image") return <img src={url} alt="" loading="lazy" />;
  return still ? <img src={still} alt="" /> : null;
}
