import { Path2D } from "@napi-rs/canvas";
import type { Setting } from "./brief.ts";
import { mix } from "./colour.ts";
import { alps } from "./land/alps.ts";
import { beach, sea } from "./land/coast.ts";
import { cosmos } from "./land/cosmos.ts";
import { countryside } from "./land/countryside.ts";
import type { Ground } from "./land/ground.ts";
import { woods } from "./land/woods.ts";
import { skyLayers } from "./sky/sky.ts";
import { weatherLayers } from "./sky/weather.ts";
import { hasSky, type Layer, type Stage } from "./stage/stage.ts";
import { figureLayers } from "./subjects/place-figures.ts";

/** A few birds far off, flapping. */
function flockLayers(stage: Stage): Layer[] {
  const { width, horizon, light } = stage;
  const lots = stage.random("flock");
  const isHere = stage.wants("birds") || lots() < 0.55;
  if (!isHere || stage.refuses("birds") || (light.isNight && !stage.wants("birds"))) return [];
  const count = stage.wants("birds") ? 9 : 4 + Math.floor(lots() * 3);
  const [centreX, centreY] = [width * (0.25 + lots() * 0.5), horizon * (0.26 + lots() * 0.2)];
  const birds = Array.from({ length: count }, () => ({
    x: centreX + (lots() - 0.5) * 330,
    y: centreY + (lots() - 0.5) * 120,
    size: 9 + lots() * 11,
    phase: lots() * 7,
  }));
  const colour = mix(light.skyTop, [20, 22, 44], light.isNight ? 0.2 : 0.7);
  return [
    {
      depth: 0.16,
      isMoving: true,
      paint(pen, seconds) {
        for (const { x, y, size, phase } of birds) {
          const wing = 0.35 + 0.55 * Math.sin(seconds * 6 + phase);
          const path = new Path2D();
          const [left, middle] = [x + seconds * 16, y + Math.sin(seconds + phase) * 6];
          path.moveTo(left - size, middle - size * wing * 0.6);
          path.quadraticCurveTo(left - size * 0.4, middle - size * wing * 0.85, left, middle);
          path.quadraticCurveTo(
            left + size * 0.4,
            middle - size * wing * 0.85,
            left + size,
            middle - size * wing * 0.6,
          );
          pen.line(path, { colour, width: size * 0.17 });
        }
      },
    },
  ];
}

const LANDS: Readonly<Record<Setting, (stage: Stage) => Ground>> = {
  mountains: alps,
  hills: countryside,
  forest: woods,
  sea,
  beach,
  space: cosmos,
};

function groundOf(stage: Stage): Ground {
  return LANDS[stage.brief.setting](stage);
}

/** All layers of a picture, back to front. */
export function sceneLayers(stage: Stage): Layer[] {
  const ground = groundOf(stage);
  const isOpen = hasSky(stage);
  return [
    ...(isOpen ? skyLayers(stage) : []),
    ...(isOpen ? flockLayers(stage) : []),
    ...ground.behind,
    ...figureLayers(stage, ground),
    ...ground.front,
    ...weatherLayers(stage),
  ];
}
