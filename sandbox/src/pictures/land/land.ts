import type { Setting } from "../brief/brief.ts";
import type { Stage } from "../stage/stage.ts";
import { alps } from "./alps.ts";
import { beach, lake, sea } from "./coast.ts";
import { cosmos, moonscape } from "./cosmos.ts";
import { countryside } from "./countryside.ts";
import { deepSea } from "./deep-sea.ts";
import { dunes } from "./dunes.ts";
import type { Ground } from "./ground.ts";
import { ice } from "./ice.ts";
import { interior, studio } from "./interior.ts";
import { town } from "./town.ts";
import { woods } from "./woods.ts";

const LANDS: Readonly<Record<Setting, (stage: Stage) => Ground>> = {
  mountains: alps,
  hills: countryside,
  forest: woods,
  sea,
  beach,
  lake,
  city: town,
  desert: dunes,
  arctic: ice,
  space: cosmos,
  moon: moonscape,
  underwater: deepSea,
  room: interior,
  studio,
};

export function groundOf(stage: Stage): Ground {
  return LANDS[stage.brief.setting](stage);
}
