import { AudioLines } from "lucide-react";
import type { CSSProperties } from "react";
import { Link } from "wouter";
import type { AssetRow } from "../../../src/http/console/contract.ts";
import { ago } from "../../parts/format.ts";
import { TileFilm } from "./tile-film.tsx";
import { clock, shapeOf, TYPE_WORDS, titleOf } from "./words.ts";

export function Tile({ asset, search }: { asset: AssetRow; search: string }) {
  const isSound = asset.type === "audio";
  return (
    <li className={isSound ? "card tile sound" : "card tile"} style={shapeStyle(asset)}>
      <TileMedia asset={asset} />
      <div className="tile-words">
        <Link href={`/library/${asset.id}${search}`} className="tile-open">
          <span className="visually-hidden">{TYPE_WORDS[asset.type]}: </span>
          <span dir="auto">{titleOf(asset)}</span>
        </Link>
        <span className="dim small">
          {ago(asset.createdAt)} · {asset.memberName ?? asset.model}
        </span>
      </div>
    </li>
  );
}

function TileMedia({ asset }: { asset: AssetRow }) {
  const { type, url, width, height, durationSeconds } = asset;
  if (type === "image") {
    const size = width && height ? { width, height } : {};
    return <img className="tile-media" src={url} alt="" loading="lazy" decoding="async" {...size} />;
  }
  if (type === "video") return <TileFilm asset={asset} />;
  return (
    <>
      <div className="tile-sound">
        <AudioLines aria-hidden />
        {durationSeconds !== null && <span className="number small">{clock(durationSeconds)}</span>}
      </div>
      <audio className="player" controls preload="none" src={url} aria-label={titleOf(asset)} />
    </>
  );
}

function shapeStyle(asset: AssetRow): CSSProperties {
  return { "--shape": shapeOf(asset) } as CSSProperties;
}
