import type { Figure } from "./figure.ts";
import { bee, bird, butterfly, duck, owl, penguin } from "./figures/birds.ts";
import { castle, house, lighthouse, temple, windmill } from "./figures/buildings.ts";
import {
  apple,
  banana,
  bottle,
  bread,
  burger,
  cake,
  cup,
  fruit,
  icecream,
  pizza,
  ramen,
} from "./figures/food.ts";
import { cow, deer, elephant, horse, sheep, unicorn } from "./figures/grazers.ts";
import { astronaut, dinosaur, dragon, robot, snowman } from "./figures/legends.ts";
import { person, tent } from "./figures/people.ts";
import { bear, cat, dog, fox, lion, rabbit } from "./figures/pets.ts";
import { flower, mushroom, plant, pumpkin, sunflower, tree } from "./figures/plants.ts";
import { fish, ghost, octopus, turtle, whale } from "./figures/sea-life.ts";
import { book, camera, clock, computer, guitar, lamp, phone, piano } from "./figures/things.ts";
import { ball, chair, coin, crown, gift, heart, key, shoe, star, umbrella } from "./figures/tokens.ts";
import { bicycle, bus, car, train } from "./figures/vehicles.ts";
import { balloon, boat, plane, planet, rocket, ufo } from "./figures/vessels.ts";
import type { SubjectName } from "./subject-words.ts";

const FIGURES: Readonly<Record<SubjectName, Figure>> = {
  cat,
  dog,
  fox,
  rabbit,
  bear,
  elephant,
  horse,
  unicorn,
  deer,
  cow,
  sheep,
  lion,
  owl,
  bird,
  duck,
  penguin,
  butterfly,
  bee,
  fish,
  whale,
  turtle,
  octopus,
  dragon,
  dinosaur,
  ghost,
  robot,
  astronaut,
  person,
  boat,
  rocket,
  ufo,
  planet,
  balloon,
  plane,
  car,
  bus,
  train,
  bicycle,
  house,
  castle,
  lighthouse,
  windmill,
  temple,
  tent,
  snowman,
  tree,
  sunflower,
  flower,
  mushroom,
  plant,
  cup,
  cake,
  pizza,
  burger,
  icecream,
  apple,
  banana,
  fruit,
  bread,
  ramen,
  bottle,
  book,
  lamp,
  computer,
  phone,
  camera,
  guitar,
  piano,
  clock,
  key,
  coin,
  gift,
  heart,
  star,
  crown,
  pumpkin,
  umbrella,
  ball,
  shoe,
  chair,
};

export function figureOf(name: string): Figure | undefined {
  return Object.hasOwn(FIGURES, name) ? FIGURES[name as SubjectName] : undefined;
}
