import type { CSSProperties } from "react";
import { Link } from "wouter";
import type { AssetRow } from "../../../gateway/src/http/console/contract.ts";
import { ago } from "../../parts/format.ts";
import { TileSound } from "./tile-sound.tsx";
import { TileVideo } from "./tile-video.tsx";
import { shapeOf, TYPE_WORDS, titleOf } from "./words.ts";

export function Tile({ asset, search }: { asset: AssetRow; search: string }) {
  return (
    <li className="card tile" style={shapeStyle(asset)}>
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
  const { type, url, width, height } = asset;
  if (type === "image") {
    const size = width && height ? { width, height } : {};
    return <img className="tile-media" src={url} alt="" loading="lazy" decoding="async" {...size} />;
  }
  return type === "video" ? <TileVideo asset={asset} /> : <TileSound asset={asset} />;
}

function shapeStyle(asset: AssetRow): CSSProperties {
  return { "--shape": shapeOf(asset) } as CSSProperties;
}
