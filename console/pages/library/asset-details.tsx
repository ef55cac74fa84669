import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { AssetRow } from "../../../gateway/src/http/console/contract.ts";
import { useAsk, useCommand } from "../../api/use-ask.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { bytes, credits, moment } from "../../parts/format.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { Answer, Skeleton } from "../../parts/states.tsx";
import { VideoPlayer } from "../../parts/video-player.tsx";
import { useSay } from "../../toasts.tsx";
import { clock, TYPE_WORDS, titleOf } from "./words.ts";

function DeleteAsset({ asset, onDone, onClose }: { asset: AssetRow; onDone(): void; onClose(): void }) {
  const remove = useCommand("asset.delete", ["asset.list"]);
  const client = useQueryClient();
  const say = useSay();
  const what = TYPE_WORDS[asset.type].toLowerCase();
  return (
    <Confirm
      title={asset.type === "audio" ? "Delete this audio file?" : `Delete this ${what}?`}
      action="Delete"
      isBusy={remove.isPending}
      problem={remove.error?.message ?? null}
      onConfirm={() =>
        remove.mutate(
          { id: asset.id },
          {
            onSuccess() {
              say(`${TYPE_WORDS[asset.type]} deleted.`);
              onDone();
              client.removeQueries({ queryKey: ["asset", { id: asset.id }] });
            },
          },
        )
      }
      onClose={onClose}
    >
      <div className="stack">
        <p dir="auto" className="clip-2">
          “{titleOf(asset)}”
        </p>
        <p>This cannot be undone, and its address stops working at once. The credits are not refunded.</p>
      </div>
    </Confirm>
  );
}

type AssetDetailsProps = { readonly id: string; onClose(): void; onDeleted(): void };

export function AssetDetails({ id, onClose, onDeleted }: AssetDetailsProps) {
  const asset = useAsk("asset.get", { id });
  const [isDeleting, setDeleting] = useState(false);
  if (isDeleting && asset.data) {
    return <DeleteAsset asset={asset.data} onDone={onDeleted} onClose={() => setDeleting(false)} />;
  }
  return (
    <Dialog title={asset.data ? TYPE_WORDS[asset.data.type] : "Details"} isWide onClose={onClose}>
      <Answer
        of={asset}
        waiting={<Skeleton height={420} />}
        whenGone={<Button onClick={onClose}>Show the library</Button>}
      >
        {(row) => (
          <div className="stack">
            <Shown asset={row} />
            <Facts asset={row} />
            <div className="form-actions">
              {row.mayDelete && (
                <Button look="danger" icon={<Icon name="trash-2" />} onClick={() => setDeleting(true)}>
                  Delete
                </Button>
              )}
              <a href={row.url} download className="button primary">
                <Icon name="download" />
                Download
              </a>
            </div>
          </div>
        )}
      </Answer>
    </Dialog>
  );
}

function Shown({ asset }: { asset: AssetRow }) {
  const { type, url, width, height } = asset;
  const size = width && height ? { width, height } : {};
  if (type === "image") {
    return <img className="asset-shown" src={url} alt={titleOf(asset)} {...size} />;
  }
  if (type === "video") {
    return <VideoPlayer className="asset-shown" src={url} {...size} />;
  }
  return <audio className="player" src={url} controls preload="metadata" />;
}

function Facts({ asset }: { asset: AssetRow }) {
  const { width, height, durationSeconds, sizeBytes } = asset;
  const size = [
    width && height ? `${width} × ${height}` : "",
    durationSeconds === null ? "" : clock(durationSeconds),
    bytes(sizeBytes),
    asset.mimeType,
  ];
  return (
    <dl className="asset-facts">
      <dt>Prompt</dt>
      <dd dir="auto" className="asset-prompt">
        {titleOf(asset)}
      </dd>
      <dt>Model</dt>
      <dd translate="no">{asset.model}</dd>
      <dt>Size</dt>
      <dd>{size.filter(Boolean).join(", ")}</dd>
      <dt>Cost</dt>
      <dd>
        {credits(asset.credits)} <Link href={`/usage/${asset.requestId}`}>Receipt</Link>
      </dd>
      <dt>Created</dt>
      <dd>
        {moment(asset.createdAt)}
        {asset.memberName !== null && <span> by {asset.memberName}</span>}
      </dd>
      <dt>Address</dt>
      <dd className="row">
        <a href={asset.url} target="_blank" rel="noreferrer">
          Open in a new tab
        </a>
        <CopyButton text={asset.url} what="the address" />
        <span className="dim small">Anyone who has it can see the file.</span>
      </dd>
    </dl>
  );
}
