import { hex } from "../../colour.ts";
import { dot, eyes, type Figure, oval, pair, rect, shape, stroke, strokes, swinging } from "../figure.ts";

const stands = { pose: "stand", foot: 194, scale: 1.15 } as const;

export const dragon: Figure = {
  ...stands,
  scale: 1.3,
  main: hex("#4f9a6a"),
  accent: hex("#f2b24c"),
  parts: [
    swinging(
      shape("dark", "M132 182C176 196 204 164 190 126L180 138C184 160 164 168 136 158Z"),
      [136, 176],
      5,
    ),
    swinging(shape("accent", "M190 126L204 108L198 134L182 140Z"), [136, 176], 5),
    swinging(
      pair(
        "accentDark",
        "M64 112C36 84 14 66 2 70C8 92 8 112 4 130C16 124 26 126 32 136C40 128 50 130 56 138C60 130 66 128 70 130Z",
      ),
      [66, 116],
      7,
    ),
    swinging(pair("dark", "M66 116C40 88 18 68 2 70C20 62 48 74 72 104Z"), [66, 116], 7),
    shape("main", "M60 194C52 152 66 112 100 110C134 112 148 152 140 194Z"),
    shape("accent", "M82 128C90 118 110 118 118 128C122 160 116 186 100 192C84 186 78 160 82 128Z"),
    stroke("accentDark", 2.4, "M84 140H116M82 154H118M84 168H116M90 181H110"),
    pair("dark", oval(78, 188, 18, 9)),
    pair("cream", "M70 40C62 26 62 12 68 4C76 14 82 26 86 38Z"),
    shape(
      "main",
      "M54 74C54 46 76 34 100 34C124 34 146 46 146 74C146 92 136 118 100 120C64 118 54 92 54 74Z",
    ),
    shape("light", oval(100, 100, 32, 18)),
    pair("darker", oval(90, 94, 3.5, 3)),
    ...eyes(78, 70, 9),
    strokes("ink", 2.4, "M100 110C92 112 82 110 76 104"),
    shape("white", "M84 108L88 117L92 110ZM108 110L112 117L116 108Z"),
    shape("accent", "M94 34L100 16L106 34ZM112 38L122 24L122 42ZM78 42L78 24L88 38Z"),
  ],
};

export const dinosaur: Figure = {
  ...stands,
  scale: 1.3,
  main: hex("#6aa84f"),
  accent: hex("#e8764a"),
  parts: [
    swinging(shape("main", "M128 138C160 152 190 140 204 112C202 158 168 184 128 176Z"), [132, 158], 5),
    shape("darker", "M104 150H128L132 188C132 195 108 195 108 188Z"),
    shape(
      "main",
      "M84 194C76 194 74 184 78 170C58 150 62 118 76 104C80 98 80 92 78 86L34 84C18 82 12 68 18 54C26 32 56 20 84 26C112 32 122 60 120 84C122 100 136 112 142 130C148 160 128 178 112 178L112 188C112 196 84 194 84 194Z",
    ),
    shape("pale", "M76 110C66 124 64 148 80 166C92 172 100 168 100 160C88 146 88 124 92 106Z"),
    shape(
      "accent",
      "M92 28L104 12L112 36ZM112 44L130 34L122 60ZM120 70L140 66L124 88ZM124 98L146 98L134 114ZM136 120L158 126L140 138Z",
    ),
    swinging(stroke("dark", 9, "M80 116C66 116 58 122 56 130"), [80, 116], 10),
    stroke("ink", 2.6, "M20 72C34 78 52 78 66 72"),
    shape("white", "M28 75L32 83L36 77ZM42 77L46 85L50 77Z"),
    shape("white", dot(62, 48, 10)),
    shape("ink", dot(60, 49, 6)),
    shape("white", dot(58, 46, 2.2)),
    shape("darker", dot(24, 58, 3)),
    shape("dark", "M104 188h22v6h-26ZM78 188h26v6h-30Z"),
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

export const snowman: Figure = {
  ...stands,
  scale: 1,
  main: hex("#f7fafd"),
  accent: hex("#d8432f"),
  parts: [
    stroke("woodDark", 5, "M62 106L24 82M34 88L28 100M138 106L176 84M166 90L172 102"),
    shape("main", dot(100, 150, 46)),
    shape("main", dot(100, 96, 34)),
    shape("main", dot(100, 52, 26)),
    shape("accent", "M74 70C90 80 110 80 126 70L128 80C110 92 90 92 72 80Z"),
    swinging(shape("accent", "M112 80L126 78L132 112L118 114Z"), [118, 80], 8),
    shape(
      "ink",
      "M92 46a3.6 3.6 0 1 0 .1 0ZM108 46a3.6 3.6 0 1 0 .1 0ZM100 98a4 4 0 1 0 .1 0ZM100 116a4 4 0 1 0 .1 0ZM100 136a4 4 0 1 0 .1 0Z",
    ),
    shape("accent", "M100 54L124 60L100 62Z"),
    shape("ink", rect(66, 26, 68, 8, 3)),
    shape("ink", rect(78, 0, 44, 30, 3)),
    shape("accent", rect(78, 18, 44, 9)),
  ],
};
