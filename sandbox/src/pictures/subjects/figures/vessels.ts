import { hex } from "../../colour.ts";
import { dot, type Figure, pair, rect, shape, stroke, swinging } from "../figure.ts";

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

export const plane: Figure = {
  pose: "fly",
  foot: 150,
  scale: 1.1,
  main: hex("#f3f3f0"),
  accent: hex("#dc4a3c"),
  parts: [
    shape("accentDark", "M166 98L188 52H200L192 104Z"),
    shape("dark", "M96 96L130 40H148L132 98Z"),
    shape("main", "M4 106C6 90 40 82 80 82C130 82 180 88 198 102C190 122 140 130 84 130C36 130 4 122 4 106Z"),
    shape("accent", "M6 112C30 122 130 126 192 110C180 124 136 130 84 130C40 130 8 124 6 112Z"),
    shape("blue", "M16 98C24 90 36 87 46 86L44 98Z"),
    shape(
      "blue",
      "M60 92a5 5 0 1 0 .1 0ZM78 91a5 5 0 1 0 .1 0ZM96 91a5 5 0 1 0 .1 0ZM114 91a5 5 0 1 0 .1 0ZM132 92a5 5 0 1 0 .1 0Z",
    ),
    shape("accent", "M92 108L134 112L106 168H88Z"),
    shape("metalDark", rect(78, 138, 34, 13, 6)),
  ],
};
