import { Path2D } from "@napi-rs/canvas";
import { lighten, type Rgb } from "../colour.ts";
import { paintGlow } from "../stage/glow.ts";
import { ellipse, flat } from "../stage/paths.ts";
import type { Layer, Stage } from "../stage/stage.ts";

/** Small things in the air that a season or a word of the prompt brings: petals, leaves, fireflies, lanterns. */
export function driftingLayers(stage: Stage): Layer[] {
  const { brief } = stage;
  const isOutside =
    brief.setting !== "room" &&
    brief.setting !== "studio" &&
    brief.setting !== "underwater" &&
    brief.setting !== "space";
  if (!isOutside) return [];
  const isLeafy = ["forest", "hills", "lake", "city"].includes(brief.setting);
  return [
    ...(stage.wants("lanterns") ? [lights(stage, { name: "lanterns", count: 26, isLantern: true })] : []),
    ...(stage.wants("fireflies") || (brief.mood === "dreamy" && stage.light.isNight)
      ? [lights(stage, { name: "fireflies", count: 60, isLantern: false })]
      : []),
    ...((stage.wants("petals") || (brief.season === "spring" && isLeafy)) && !stage.refuses("petals")
      ? [flakes(stage, "petals", stage.land.leafLight)]
      : []),
    ...((stage.wants("leaves") || (brief.season === "autumn" && isLeafy)) && !stage.refuses("leaves")
      ? [flakes(stage, "leaves", stage.land.leafLight)]
      : []),
  ];
}

function flakes(stage: Stage, name: "petals" | "leaves", colour: Rgb): Layer {
  const { width, height } = stage;
  const lots = stage.random(name);
  const count = Math.round((stage.wants(name) ? 70 : 32) * Math.max(1, width / 1400));
  const list = Array.from({ length: count }, () => ({
    x: lots() * width,
    y: lots() * height,
    size: 4 + lots() * 8,
    turn: lots() * 7,
    tone: lots(),
  }));
  return {
    depth: 1.2,
    isMoving: true,
    paint(pen, seconds) {
      const { context } = pen;
      for (const { x, y, size, turn, tone } of list) {
        const left =
          (((x + seconds * 26 + Math.sin(seconds + turn) * 20) % (width + 40)) + width + 40) % (width + 40);
        const top = (y + seconds * (24 + size * 3)) % (height + 20);
        context.save();
        context.translate(left - 20, top - 10);
        context.rotate(turn + seconds * (0.6 + tone));
        const path = new Path2D();
        path.moveTo(-size, 0);
        path.quadraticCurveTo(0, -size * 0.7, size, 0);
        path.quadraticCurveTo(0, size * 0.7, -size, 0);
        pen.fill(path, flat(stage.seen(tone < 0.5 ? colour : lighten(colour, 0.3), 0), 0.9));
        context.restore();
      }
    },
  };
}

function lights(
  stage: Stage,
  { name, count, isLantern }: { name: string; count: number; isLantern: boolean },
): Layer {
  const { width, height, horizon } = stage;
  const lots = stage.random(name);
  const list = Array.from({ length: count }, () => ({
    x: lots() * width,
    y: isLantern ? lots() * horizon * 0.9 : horizon * 0.55 + lots() * (height - horizon * 0.6),
    size: isLantern ? 7 + lots() * 15 : 1.6 + lots() * 2.6,
    phase: lots() * 7,
  }));
  const colour: Rgb = isLantern ? [255, 176, 92] : [236, 255, 150];
  return {
    depth: 0.9,
    isMoving: true,
    paint(pen, seconds) {
      for (const { x, y, size, phase } of list) {
        const pulse = isLantern ? 0.9 : 0.55 + 0.45 * Math.sin(seconds * 2 + phase);
        const [left, top] = [
          x + Math.sin(seconds * 0.7 + phase) * 14,
          y - (isLantern ? seconds * 9 : Math.cos(seconds + phase) * 10),
        ];
        pen.soft((context) => {
          const radius = size * (isLantern ? 3.4 : 6);
          paintGlow(context, { x: left, y: top, radius }, colour, 0.6 * pulse);
        });
        if (isLantern) {
          const path = new Path2D();
          path.roundRect(left - size * 0.6, top - size * 0.8, size * 1.2, size * 1.6, size * 0.4);
          pen.fill(path, {
            colour: [255, 226, 160],
            into: { colour: [244, 130, 60], from: [0, top - size], to: [0, top + size] },
          });
        } else pen.fill(ellipse(left, top, size), flat([255, 255, 220], pulse));
      }
    },
  };
}
