import { useEffect, useRef, useState } from "react";
import type { AssetRow } from "../../../gateway/src/http/console/contract.ts";
import { Icon } from "../../parts/icons/icon.tsx";
import { clock, titleOf } from "./words.ts";

const STEP_SECONDS = 0.1;

/** Plays in the tile. Nothing is fetched before it is played, since the duration is known. */
export function TileSound({ asset }: { asset: AssetRow }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(asset.durationSeconds);
  useGivingWay(audio, isPlaying);
  const title = titleOf(asset);
  function toggle(): void {
    const { current } = audio;
    // After an error, the element does not play again unless it is reloaded.
    if (current?.error) current.load();
    // A file that cannot be loaded also fires an error event.
    if (current?.paused) void current.play().catch(() => setPlaying(false));
    else current?.pause();
  }
  return (
    <div className="tile-sound">
      <button type="button" className="sound-play" onClick={toggle}>
        {isPlaying ? <Icon name="pause" /> : <Icon name="play" />}
        <span className="visually-hidden">
          {isPlaying ? "Pause" : "Play"} “{title}”
        </span>
      </button>
      <input
        type="range"
        className="sound-at"
        aria-label={`Position in “${title}”`}
        aria-valuetext={clock(at)}
        min={0}
        max={length ?? 0}
        step={STEP_SECONDS}
        disabled={length === null}
        value={at}
        onChange={(event) => {
          const next = Number(event.target.value);
          setAt(next);
          if (audio.current) audio.current.currentTime = next;
        }}
      />
      <span className="number small">{isBroken ? "Cannot be played" : lengthWords(at, length)}</span>
      <audio
        ref={audio}
        src={asset.url}
        preload="none"
        onPlay={() => {
          setPlaying(true);
          setBroken(false);
        }}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onError={() => setBroken(true)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
        onDurationChange={(event) => setLength(event.currentTarget.duration)}
      />
    </div>
  );
}

function lengthWords(at: number, length: number | null): string {
  if (length === null) return at > 0 ? clock(at) : "Audio";
  return at > 0 ? `${clock(at)} / ${clock(length)}` : clock(length);
}

/** Pauses when anything else on the page starts to play: two at once are noise. */
function useGivingWay(audio: { readonly current: HTMLAudioElement | null }, isPlaying: boolean): void {
  useEffect(() => {
    if (!isPlaying) return;
    const giveWay = (event: Event) => event.target !== audio.current && audio.current?.pause();
    // `play` does not bubble, so it is caught while capturing.
    document.addEventListener("play", giveWay, true);
    return () => document.removeEventListener("play", giveWay, true);
  }, [audio, isPlaying]);
}
