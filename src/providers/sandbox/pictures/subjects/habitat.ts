import type { Setting } from "../brief/brief.ts";
import type { SubjectName } from "./subject-words.ts";

/** Where a figure is drawn if the prompt names no place; one of several is chosen at random. */
const HOMES: Readonly<Partial<Record<Setting, string>>> = {
  hills:
    "cat, dog, rabbit, horse, unicorn, cow, sheep, butterfly, bee, car, bus, train, bicycle, house, windmill, tree, flower, sunflower, balloon, person, bird, umbrella, ball, plane, dinosaur",
  forest: "fox, bear, deer, owl, bird, mushroom, tent, dragon, snowman, rabbit, pumpkin",
  mountains: "dragon, castle, temple, tent, plane, balloon, train, deer",
  desert: "elephant, lion, dinosaur",
  lake: "duck, deer",
  sea: "boat, whale, lighthouse",
  beach: "turtle, lighthouse, umbrella",
  underwater: "fish, octopus, turtle, whale",
  arctic: "penguin",
  space: "rocket, astronaut, planet, ufo, star",
  city: "robot, car, bus, person",
  room: "cup, cake, pizza, burger, icecream, apple, banana, fruit, bread, ramen, bottle, book, lamp, computer, phone, camera, guitar, piano, clock, plant, chair, gift, cat",
  studio: "key, coin, heart, crown, shoe, robot, ghost, gift",
};

export const DEFAULT_SETTING_OF: Readonly<Record<string, readonly Setting[]>> = byName();

function byName(): Record<string, Setting[]> {
  const settings: Partial<Record<SubjectName, Setting[]>> & Record<string, Setting[]> = {};
  for (const [setting, names] of Object.entries(HOMES)) {
    for (const name of names.split(",").map((one) => one.trim())) {
      const known = settings[name] ?? [];
      settings[name] = [...known, setting as Setting];
    }
  }
  return settings;
}
