import type { Random } from "../random.ts";

/** The camera's position at a moment: zoom, and offset in shares of the picture. */
type CameraView = { readonly zoom: number; readonly panX: number; readonly panY: number };

/** `progress` runs from 0 to 1 over the video. */
export type Camera = (progress: number) => CameraView;

const MOVES = {
  push: { zoom: [1.05, 1.17], panX: [0, 0], panY: [0, 0] },
  pull: { zoom: [1.17, 1.05], panX: [0, 0], panY: [0, 0] },
  left: { zoom: [1.11, 1.11], panX: [-0.034, 0.034], panY: [0, 0] },
  right: { zoom: [1.11, 1.11], panX: [0.034, -0.034], panY: [0, 0] },
  rise: { zoom: [1.12, 1.1], panX: [0, 0], panY: [-0.034, 0.03] },
  still: { zoom: [1.06, 1.06], panX: [0, 0], panY: [0, 0] },
} as const;

/** The move named in the prompt, else a random one; a video without any move would look like a photograph. */
export function chooseCamera(words: string, random: Random): Camera {
  const lot = (["push", "pull", "left", "right", "rise"] as const)[Math.floor(random() * 5)] ?? "push";
  const move = MOVES[named(words.toLowerCase()) ?? lot];
  return (progress) => {
    const eased = progress * 0.5 + (0.5 - Math.cos(progress * Math.PI) / 2) * 0.5;
    const between = ([from, to]: readonly [number, number]) => from + (to - from) * eased;
    return { zoom: between(move.zoom), panX: between(move.panX), panY: between(move.panY) };
  };
}

function named(words: string): keyof typeof MOVES | undefined {
  if (/zoom(s|ing)? out|pull(s|ing)? (back|out)/.test(words)) return "pull";
  if (/zoom|push(es|ing)? in|dolly|close.?up|fly(ing)? (over|through)/.test(words)) return "push";
  if (/pan(s|ning)? left|to the left/.test(words)) return "left";
  if (/\bpan|to the right|tracking/.test(words)) return "right";
  if (/drone|aerial|crane shot|rising shot|tilt/.test(words)) return "rise";
  return /static (shot|camera)|still camera|tripod|locked/.test(words) ? "still" : undefined;
}

/** Far layers follow the camera less than near ones, which gives the impression of depth. */
export function planeView({ zoom, panX, panY }: CameraView, depth: number): CameraView {
  const near = Math.min(1.25, depth);
  return {
    zoom: 1 + (zoom - 1) * (0.5 + 0.5 * near),
    panX: panX * (0.2 + 0.8 * near),
    panY: panY * (0.2 + 0.8 * near),
  };
}
