import { hex } from "../../colour.ts";
import { dot, type Figure, oval, pair, rect, shape, stroke, swinging } from "../figure.ts";

const grows = { pose: "stand", foot: 194, scale: 1 } as const;

export const tree: Figure = {
  ...grows,
  scale: 1.6,
  main: hex("#4a9a52"),
  accent: hex("#7a5236"),
  parts: [
    shape(
      "accent",
      "M84 196C92 176 92 150 90 124L62 100L68 94L92 108L94 80H106L108 104L134 88L138 95L110 124C108 150 108 176 118 196C110 192 104 194 100 197C96 194 90 192 84 196Z",
    ),
    shape(
      "dark",
      "M38 108C14 108 10 78 30 70C24 46 52 30 70 40C78 14 122 14 130 40C148 30 178 46 170 70C190 78 186 108 162 108C158 124 132 124 126 112C118 124 84 124 76 112C68 124 42 124 38 108Z",
    ),
    shape(
      "main",
      "M40 98C18 98 16 74 34 68C30 46 54 34 72 44C80 18 116 18 124 42C142 34 166 48 160 68C174 76 170 98 150 96C144 108 126 108 120 98C112 108 88 108 80 98C72 108 46 108 40 98Z",
    ),
    shape("light", "M52 74C48 56 64 48 78 56C84 38 108 36 116 50C104 50 96 58 94 68C82 62 64 64 52 74Z"),
    shape(
      "red",
      "M60 88a5 5 0 1 0 .1 0ZM96 80a5 5 0 1 0 .1 0ZM136 84a5 5 0 1 0 .1 0ZM112 100a5 5 0 1 0 .1 0ZM80 106a5 5 0 1 0 .1 0Z",
    ),
  ],
};

export const flower: Figure = {
  ...grows,
  main: hex("#ef6f8f"),
  accent: hex("#f7c948"),
  parts: [
    stroke("leafDark", 7, "M100 194C98 160 102 130 100 84"),
    swinging(shape("leaf", "M100 164C76 162 56 146 50 122C76 122 96 138 100 164Z"), [100, 164], 4),
    swinging(shape("leaf", "M101 148C124 144 142 128 146 106C122 108 104 124 101 148Z"), [101, 148], -4),
    shape(
      "dark",
      "M100 12C118 22 120 44 110 58C126 46 146 48 156 64C148 82 128 86 112 78C128 90 130 110 118 124C100 120 92 102 96 84C92 104 76 114 58 108C52 90 64 74 82 72C64 74 48 64 46 46C60 34 80 40 90 56C82 40 84 20 100 12Z",
    ),
    shape(
      "main",
      "M84 18C102 18 110 34 106 52C118 38 136 36 148 48C146 66 130 74 114 70C130 78 138 94 130 110C112 112 100 100 98 84C92 100 78 110 62 102C58 86 70 72 86 70C68 68 58 54 64 38C80 34 94 44 98 58C90 44 78 32 84 18Z",
    ),
    shape("accent", dot(99, 68, 17)),
    shape(
      "accentDark",
      "M94 64a2.4 2.4 0 1 0 .1 0ZM104 64a2.4 2.4 0 1 0 .1 0ZM99 72a2.4 2.4 0 1 0 .1 0ZM108 72a2.4 2.4 0 1 0 .1 0ZM90 72a2.4 2.4 0 1 0 .1 0Z",
    ),
  ],
};

export const sunflower: Figure = { ...flower, main: hex("#f5c02c"), accent: hex("#6b432c") };

export const mushroom: Figure = {
  ...grows,
  main: hex("#d8432f"),
  accent: hex("#fbf3e2"),
  parts: [
    shape("accent", "M82 108C84 140 76 168 72 188C80 198 120 198 128 188C124 168 116 140 118 108Z"),
    shape(
      "accentDark",
      "M104 108H118C116 140 124 168 128 188C122 195 110 196 104 196C112 170 108 140 104 108Z",
    ),
    shape("main", "M20 108C18 54 56 18 100 18C144 18 182 54 180 108C160 122 40 122 20 108Z"),
    shape("accentDark", "M34 112C70 100 130 100 166 112C140 122 60 122 34 112Z"),
    shape(
      "white",
      `${oval(64, 66, 13, 11)}${oval(106, 44, 15, 12)}${oval(144, 76, 12, 11)}${oval(100, 84, 11, 9)}${oval(44, 92, 8, 7)}`,
    ),
    shape(
      "leaf",
      "M46 196C44 180 36 170 30 166C34 180 36 188 38 196ZM150 196C152 178 160 168 166 164C164 178 160 188 158 196Z",
    ),
  ],
};

export const plant: Figure = {
  ...grows,
  main: hex("#3f9a62"),
  accent: hex("#d9805a"),
  parts: [
    stroke(
      "leafDark",
      4,
      "M100 136C98 110 84 84 66 66M100 136C102 100 112 66 128 44M100 136C108 116 130 100 154 96M100 136C92 122 66 112 44 114",
    ),
    swinging(shape("main", "M70 72C40 70 28 44 36 22C62 24 80 44 74 70Z"), [72, 72], 3),
    swinging(shape("dark", "M124 50C112 26 124 6 146 0C160 22 150 46 128 54Z"), [126, 52], -3),
    swinging(shape("main", "M150 98C154 74 176 66 196 74C194 96 174 108 152 102Z"), [152, 100], 3),
    swinging(shape("dark", "M48 116C32 98 14 100 2 112C10 130 32 132 48 120Z"), [48, 118], -3),
    stroke("light", 2, "M72 68L46 34M128 48L142 12M154 98L186 82M44 116L14 114"),
    shape("accentDark", rect(56, 130, 88, 16, 4)),
    shape("accent", "M62 144H138L128 194H72Z"),
    shape("accentDark", "M112 144H138L128 194H110Z"),
  ],
};

export const pumpkin: Figure = {
  ...grows,
  foot: 186,
  scale: 0.85,
  main: hex("#ee8130"),
  accent: hex("#4f7a3a"),
  parts: [
    shape("accent", "M94 62C92 44 100 34 112 30L120 38C112 44 108 52 108 62Z"),
    pair("dark", "M70 66C32 58 12 92 16 126C20 166 46 186 74 184Z"),
    pair("main", "M92 62C60 54 40 90 42 126C44 164 66 188 96 186Z"),
    shape(
      "light",
      "M100 60C126 60 134 92 132 126C130 166 118 188 100 188C82 188 70 166 68 126C66 92 74 60 100 60Z",
    ),
    pair("glow", "M58 104L90 112L66 124Z"),
    shape("glow", "M100 122L108 134H92Z"),
    shape(
      "glow",
      "M52 142C66 150 74 150 80 146L86 156L94 150L100 158L106 150L114 156L120 146C126 150 134 150 148 142C142 168 118 176 100 176C82 176 58 168 52 142Z",
    ),
  ],
};
