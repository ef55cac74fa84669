import { hex } from "../../colour.ts";
import { dot, eyes, type Figure, oval, pair, rect, shape, stroke, strokes, swinging } from "../figure.ts";

export const person: Figure = {
  pose: "stand",
  foot: 196,
  scale: 1.1,
  main: hex("#d8574a"),
  accent: hex("#33456e"),
  parts: [
    shape("accentDark", "M84 128H100L98 188H84ZM102 128H117L118 188H104Z"),
    shape("accent", "M80 122H121L119 150H101L99 150H82Z"),
    pair("ink", "M82 186H99V196H74C74 190 78 187 82 186Z"),
    swinging(pair("dark", "M76 72C64 78 60 100 62 120L71 121C73 106 76 96 82 90Z"), [78, 76], 5),
    swinging(pair("skin", dot(66, 124, 6)), [78, 76], 5),
    shape("main", "M76 72C84 66 116 66 124 72L124 128H76Z"),
    shape("light", "M76 84H124V92H76Z"),
    shape("wood", "M112 70C126 74 130 112 124 122L116 120C120 104 118 84 106 70Z"),
    shape("skin", rect(93, 54, 14, 16, 4)),
    shape("hair", "M74 40C70 14 88 4 100 4C114 4 130 14 126 40C128 52 124 60 120 62H80C76 60 72 52 74 40Z"),
    shape("skin", "M80 34C80 22 120 22 120 34C121 50 114 62 100 62C86 62 79 50 80 34Z"),
    shape("hair", "M78 36C78 18 92 12 104 14C118 14 124 26 122 38C116 30 108 28 100 28C92 30 84 30 78 36Z"),
    pair("ink", oval(92, 42, 2.4, 3)),
    stroke("ink", 1.8, "M95 51C98 54 102 54 105 51"),
    pair("pink", oval(87, 49, 4, 2.4)),
  ],
};

const FRINGE =
  "M54 76C50 40 70 18 104 18C138 18 152 44 146 76C140 62 132 50 120 44C104 58 78 58 66 54C60 60 56 68 54 76Z";
const BEARD =
  "M57 84C58 122 76 146 100 146C124 146 142 122 143 84C138 98 128 106 116 104C108 100 92 100 84 104C72 106 62 98 57 84Z";

/** Head and shoulders of the described person. */
export function bustOf(looks: ReadonlySet<string>): Figure {
  const isMan = looks.has("man") || looks.has("beard");
  const hair = isMan
    ? "M50 78C42 30 70 6 102 6C138 6 160 30 150 78L146 96H54Z"
    : "M46 78C40 26 68 4 102 4C138 4 162 30 154 82C158 112 150 140 138 146H62C48 138 42 108 46 78Z";
  const earrings = pair("accent", dot(55, 98, 4.5));
  const glasses = [
    strokes("ink", 3.4, oval(79, 83, 15, 13)),
    stroke("ink", 3.4, "M94 82C97 79 103 79 106 82"),
    strokes("ink", 3, "M64 80L56 77"),
  ];
  return {
    pose: "stand",
    foot: 200,
    scale: 1.4,
    isCut: true,
    main: hex(isMan ? "#3d5a80" : "#3f8f8a"),
    accent: hex("#f2b24c"),
    parts: [
      shape("hair", hair),
      shape("main", "M22 200C24 160 52 146 82 142H118C148 146 176 160 178 200Z"),
      shape("light", "M78 142L100 172L122 142L132 146L102 192H98L68 146Z"),
      shape("skin", "M84 118H116V146C110 160 90 160 84 146Z"),
      shape("skinDark", "M84 128C92 138 108 138 116 128V136C108 144 92 144 84 136Z"),
      pair("skin", oval(57, 82, 8, 12)),
      ...(isMan ? [] : [earrings]),
      shape("skin", "M58 62C58 32 142 32 142 62C146 104 128 132 100 132C72 132 54 104 58 62Z"),
      shape("hair", FRINGE),
      strokes("hair", isMan ? 6 : 4, "M70 70C75 66 82 66 87 69"),
      ...eyes(79, 82, 5.5),
      stroke("skinDark", 3, "M100 84C97 92 95 97 98 100H103"),
      ...(isMan ? [] : [pair("pink", oval(70, 100, 9, 6))]),
      ...(looks.has("beard") ? [shape("hair", BEARD)] : []),
      stroke(isMan ? "skinDark" : "red", 3.6, "M88 112C94 119 106 119 112 112"),
      ...(looks.has("glasses") ? glasses : []),
    ],
  };
}

export const tent: Figure = {
  pose: "stand",
  foot: 186,
  scale: 1.05,
  main: hex("#e0743c"),
  accent: hex("#f5c948"),
  parts: [
    stroke("woodDark", 3, "M96 24L100 16M104 24L100 16"),
    shape("dark", "M100 22L190 186H118Z"),
    shape("main", "M100 22L124 186H10Z"),
    shape("ink", "M82 70C92 110 100 150 102 186H48C60 150 74 110 82 70Z"),
    shape("glow", "M82 84C88 120 92 156 92 186H58C66 152 76 116 82 84Z"),
    shape("light", "M82 70C74 110 62 150 34 186H48C62 150 76 110 82 70Z"),
    stroke("woodDark", 3, "M12 184L0 194M188 184L199 194"),
  ],
};

const stands = { pose: "stand", foot: 194, scale: 1.15 } as const;

export const robot: Figure = {
  ...stands,
  scale: 1.1,
  main: hex("#6f9fc4"),
  accent: hex("#f2b24c"),
  parts: [
    shape("metalDark", rect(96, 10, 8, 28, 3)),
    swinging(shape("accent", dot(100, 10, 9)), [100, 36], 5),
    pair("metalDark", rect(72, 170, 20, 20, 4)),
    pair("dark", rect(64, 182, 32, 13, 6)),
    swinging(pair("metalDark", "M54 118C36 122 30 140 34 156L44 154C42 142 46 132 58 130Z"), [56, 122], 6),
    swinging(pair("accent", dot(38, 160, 11)), [56, 122], 6),
    shape("main", rect(56, 104, 88, 72, 16)),
    shape("pale", rect(72, 118, 56, 36, 8)),
    shape("accent", dot(86, 136, 7)),
    shape("red", dot(106, 136, 5)),
    stroke("metalDark", 3, "M116 128V144"),
    shape("metal", rect(84, 94, 32, 14, 4)),
    pair("accent", rect(36, 58, 14, 26, 5)),
    shape("main", rect(46, 34, 108, 66, 20)),
    shape("ink", rect(58, 46, 84, 40, 14)),
    pair("glow", oval(82, 64, 9, 11)),
    strokes("glow", 3, "M100 79C96 79 92 78 90 76"),
  ],
};

export const astronaut: Figure = {
  ...stands,
  pose: "hover",
  scale: 1.1,
  main: hex("#f3f4f8"),
  accent: hex("#e8643c"),
  parts: [
    shape("dark", rect(54, 96, 92, 64, 14)),
    pair("main", "M78 158C70 172 66 186 70 192H92C96 184 96 170 96 160Z"),
    pair("accent", rect(66, 186, 30, 9, 4)),
    swinging(
      pair("main", "M68 106C44 112 34 132 36 148C44 158 56 152 58 142C60 134 66 130 74 130Z"),
      [68, 112],
      8,
    ),
    swinging(pair("accent", dot(44, 150, 10)), [68, 112], 8),
    shape("main", "M64 104C64 94 136 94 136 104L138 156C138 170 62 170 62 156Z"),
    shape("pale", rect(78, 118, 44, 28, 6)),
    shape("red", dot(88, 126, 4)),
    shape("gold", dot(100, 126, 4)),
    shape("leaf", dot(112, 126, 4)),
    stroke("metalDark", 3, "M84 138H116"),
    shape("accent", rect(62, 156, 76, 7, 3)),
    shape("main", dot(100, 62, 46)),
    shape("metalDark", oval(100, 64, 37, 32)),
    shape("ink", oval(100, 65, 33, 28)),
    shape("blue", "M70 60C74 42 96 36 112 40C94 44 82 54 78 72C73 70 69 66 70 60Z"),
    pair("dark", rect(48, 54, 9, 20, 4)),
    shape("white", oval(116, 54, 7, 4)),
  ],
};
