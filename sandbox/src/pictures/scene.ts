import { groundOf } from "./land/land.ts";
import { flockLayers } from "./sky/flock.ts";
import { skyLayers } from "./sky/sky.ts";
import { weatherLayers } from "./sky/weather.ts";
import { hasSky, type Layer, type Stage } from "./stage/stage.ts";
import { figureLayers } from "./subjects/place-figures.ts";

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
