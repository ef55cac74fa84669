import { hex } from "../../colour.ts";
import {
  dot,
  type Figure,
  oval,
  type Part,
  pair,
  rect,
  shape,
  stroke,
  strokes,
  swinging,
} from "../figure.ts";

const drives = { pose: "stand", foot: 178, scale: 1.2 } as const;
const grows = { pose: "stand", foot: 194, scale: 1 } as const;
const stands = { pose: "stand", foot: 194, scale: 1.15 } as const;

function wheel(x: number, y: number, radius: number): Part[] {
  return [
    shape("ink", dot(x, y, radius)),
    shape("metal", dot(x, y, radius * 0.55)),
    shape("metalDark", dot(x, y, radius * 0.2)),
  ];
}

export const boat: Figure = {
  pose: "float",
  foot: 184,
  scale: 1.15,
  main: hex("#c9543e"),
  accent: hex("#fbf3e2"),
  parts: [
    shape("wood", rect(97, 8, 6, 148, 2)),
    swinging(shape("red", "M103 8L132 15L103 24Z"), [103, 14], 7),
    shape("accent", "M108 20C152 52 168 100 172 136L108 142Z"),
    shape("accentDark", "M140 52C158 84 168 112 172 136L146 138C146 108 146 78 140 52Z"),
    shape("accentLight", "M92 36C60 66 42 100 34 134L92 142Z"),
    stroke("main", 5, "M112 108L166 104"),
    shape("main", "M14 148H188C184 176 160 190 138 190H66C40 190 20 176 14 148Z"),
    shape("cream", "M14 148H188L186 158H16Z"),
    shape("dark", "M24 172C34 184 50 190 66 190H138C156 190 170 182 180 170Z"),
  ],
};

export const rocket: Figure = {
  pose: "hover",
  foot: 190,
  scale: 1.2,
  main: hex("#f4f1ea"),
  accent: hex("#dc4a3c"),
  parts: [
    swinging(shape("gold", "M78 150C70 176 88 186 100 214C112 186 130 176 122 150Z"), [100, 150], 4),
    swinging(shape("red", "M86 150C80 170 92 178 100 196C108 178 120 170 114 150Z"), [100, 150], -5),
    pair("accent", "M70 108C48 122 42 142 44 164C54 152 66 148 78 148Z"),
    shape(
      "main",
      "M100 2C128 24 136 66 134 104C133 126 128 142 122 152H78C72 142 67 126 66 104C64 66 72 24 100 2Z",
    ),
    shape("accent", "M100 2C114 14 124 30 129 48H71C76 30 86 14 100 2Z"),
    shape("dark", "M118 26C134 60 134 118 122 152H108C120 116 122 66 112 14Z"),
    shape("metalDark", dot(100, 76, 20)),
    shape("blue", dot(100, 76, 15)),
    shape("glass", "M90 70C94 62 104 62 108 64C100 66 95 72 94 80C90 78 88 74 90 70Z"),
    shape("accentDark", rect(76, 146, 48, 10, 4)),
    shape("accent", "M95 112H105V158L100 166L95 158Z"),
  ],
};

export const balloon: Figure = {
  pose: "fly",
  foot: 196,
  scale: 1.15,
  main: hex("#e0574a"),
  accent: hex("#f7c95c"),
  parts: [
    stroke("woodDark", 2, "M76 132L88 166M124 132L112 166M100 138V166"),
    shape(
      "main",
      "M100 4C148 4 172 40 168 78C164 108 134 126 122 142H78C66 126 36 108 32 78C28 40 52 4 100 4Z",
    ),
    shape(
      "accent",
      "M100 4C120 4 130 40 128 78C126 108 114 126 110 142H90C86 126 74 108 72 78C70 40 80 4 100 4Z",
    ),
    shape(
      "cream",
      "M58 16C70 8 84 4 100 4C84 18 74 46 72 78C74 108 82 126 86 142H78C66 126 52 108 50 78C46 50 50 30 58 16Z",
    ),
    shape(
      "dark",
      "M142 16C164 30 172 54 168 78C164 108 134 126 122 142H114C124 126 146 108 150 78C154 50 150 30 142 16Z",
    ),
    shape("accentDark", rect(78, 138, 44, 7, 3)),
    shape("wood", "M84 166H116L113 194C113 198 87 198 87 194Z"),
    stroke("woodDark", 2, "M86 176H115M87 186H114"),
  ],
};

export const car: Figure = {
  ...drives,
  main: hex("#dc4a3c"),
  accent: hex("#f7c95c"),
  parts: [
    shape("main", "M46 116C52 78 66 62 92 60H122C146 62 158 84 164 112Z"),
    shape("glass", "M58 110C62 84 72 70 92 69H101V110ZM108 69H122C140 72 148 90 152 110H108Z"),
    shape("main", "M10 130C10 114 26 110 46 108H164C184 110 194 122 192 140L190 156H12Z"),
    shape("light", "M14 124C22 116 34 114 46 113H164C176 114 184 118 188 124Z"),
    shape("dark", "M11 144H191L190 158C190 162 12 162 12 158Z"),
    stroke("dark", 2.4, "M105 68V150M114 128H126"),
    shape("gold", oval(18, 132, 7, 8)),
    shape("red", rect(184, 126, 8, 14, 3)),
    shape("metal", "M4 150H30V158H8C4 158 4 154 4 150ZM176 150H196V156C194 158 180 158 176 158Z"),
    ...wheel(54, 158, 20),
    ...wheel(150, 158, 20),
  ],
};

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
