import type { Setting } from "../brief.ts";
import type { Figure } from "./figure.ts";
import { bird, cat, dog, fox, owl } from "./figures/animals.ts";
import { castle, house, lighthouse } from "./figures/buildings.ts";
import { balloon, boat, car, robot, rocket, tree } from "./figures/things.ts";

type Subject = {
  readonly figure: Figure;
  /** What asks for it, in the singular. */
  readonly words: string;
  /** Where it is drawn if the prompt names no place. */
  readonly home: Setting;
};

/** Everything that can be drawn as a figure. */
export const SUBJECTS: Readonly<Record<string, Subject>> = {
  cat: { figure: cat, words: "cat kitten", home: "hills" },
  dog: { figure: dog, words: "dog puppy", home: "hills" },
  fox: { figure: fox, words: "fox", home: "forest" },
  owl: { figure: owl, words: "owl", home: "forest" },
  bird: { figure: bird, words: "bird robin sparrow parrot", home: "hills" },
  house: { figure: house, words: "house cottage home cabin", home: "hills" },
  castle: { figure: castle, words: "castle palace", home: "mountains" },
  lighthouse: { figure: lighthouse, words: "lighthouse", home: "sea" },
  boat: { figure: boat, words: "boat sailboat ship yacht", home: "sea" },
  rocket: { figure: rocket, words: "rocket spaceship", home: "space" },
  balloon: { figure: balloon, words: "balloon", home: "hills" },
  car: { figure: car, words: "car taxi", home: "hills" },
  tree: { figure: tree, words: "tree oak", home: "hills" },
  robot: { figure: robot, words: "robot", home: "hills" },
};
