import { hex } from "../../colour.ts";
import { dot, type Figure, oval, pair, rect, shape, stroke, swinging } from "../figure.ts";

const lies = { pose: "stand", foot: 186, scale: 0.95 } as const;

export const book: Figure = {
  ...lies,
  main: hex("#3f6fa8"),
  accent: hex("#d8432f"),
  parts: [
    pair("main", "M100 176C74 164 40 164 8 172V72C40 62 76 64 100 78Z"),
    pair("cream", "M100 168C76 156 44 156 16 162V66C44 56 78 58 100 72Z"),
    pair("metal", "M100 72C96 70 92 68 88 67V160C92 162 96 164 100 168Z"),
    {
      tone: "metal",
      width: 3,
      isMirrored: true,
      path: "M28 84C46 78 66 80 84 88M28 100C46 94 66 96 84 104M28 116C46 110 66 112 84 120M28 132C46 126 60 127 72 132",
    },
    shape("accent", "M120 62H134V104L127 96L120 104Z"),
    shape(
      "gold",
      "M70 40L74 28L78 40L90 44L78 48L74 60L70 48L58 44ZM128 30L131 20L134 30L144 33L134 36L131 46L128 36L118 33Z",
    ),
  ],
};

export const camera: Figure = {
  ...lies,
  main: hex("#3c4158"),
  accent: hex("#e9c9a0"),
  parts: [
    stroke("woodDark", 6, "M18 84C4 40 60 14 100 14C140 14 196 40 182 84"),
    shape("metal", "M66 62L78 42H122L134 62Z"),
    shape("metal", rect(30, 50, 26, 14, 4)),
    shape("red", rect(148, 52, 18, 10, 4)),
    shape("metal", rect(10, 60, 180, 118, 16)),
    shape("main", rect(10, 84, 180, 72)),
    shape("metalDark", dot(100, 120, 50)),
    shape("ink", dot(100, 120, 42)),
    shape("blue", dot(100, 120, 29)),
    shape("ink", dot(100, 120, 15)),
    shape("glass", "M80 112C84 100 96 94 106 96C96 100 90 108 90 120C84 122 78 118 80 112Z"),
    shape("gold", rect(156, 68, 22, 10, 3)),
  ],
};

const served = { pose: "stand", foot: 186, scale: 0.95 } as const;

export const cup: Figure = {
  ...served,
  main: hex("#e9745a"),
  accent: hex("#5a3524"),
  parts: [
    swinging(
      stroke("pale", 5, "M78 62C68 48 88 40 78 22M100 60C90 44 110 36 100 16M122 62C112 48 132 40 122 22"),
      [100, 62],
      3,
    ),
    shape("cream", oval(98, 178, 76, 12)),
    stroke("main", 12, "M142 106C174 98 178 146 138 148"),
    shape("main", "M46 84H150C152 128 140 174 112 178H84C56 174 44 128 46 84Z"),
    shape("dark", "M124 84H150C152 128 140 174 112 178H100C122 160 128 124 124 84Z"),
    shape("light", oval(98, 84, 52, 13)),
    shape("accent", oval(98, 86, 45, 10)),
    shape("cream", "M84 86C84 80 96 80 98 84C100 80 112 80 112 86C112 90 104 92 98 94C92 92 84 90 84 86Z"),
    shape("pale", "M58 104C58 130 64 150 72 160C62 146 56 124 58 104Z"),
  ],
};

export const apple: Figure = {
  ...served,
  foot: 177,
  scale: 0.85,
  main: hex("#d8432f"),
  accent: hex("#f5b73c"),
  parts: [
    shape(
      "main",
      "M80 84C96 66 134 76 128 122C124 162 104 184 80 174C56 184 36 162 32 122C26 76 64 66 80 84Z",
    ),
    shape("dark", "M108 78C132 86 132 120 126 134C118 164 100 180 80 174C110 160 120 118 108 78Z"),
    shape("pale", oval(54, 106, 8, 16)),
    stroke("woodDark", 6, "M80 86C78 70 82 58 90 50"),
    shape("leaf", "M86 66C94 44 118 40 132 48C124 68 104 74 86 66Z"),
    stroke("leafDark", 2, "M88 65C102 60 114 54 128 50"),
  ],
};

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
