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

/** Where no sky is seen, none is painted. */
const WITHOUT_SKY: ReadonlySet<Setting> = new Set(["underwater", "room", "studio", "space"]);

export function groundOf(stage: Stage): Ground {
  return LANDS[stage.brief.setting](stage);
}

export function hasSky({ brief }: Stage): boolean {
  return !WITHOUT_SKY.has(brief.setting);
}
