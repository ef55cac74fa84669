import { hex } from "../../colour.ts";
import { dot, type Figure, oval, rect, shape, stroke, swinging } from "../figure.ts";

const stands = { pose: "stand", foot: 194, scale: 1.1 } as const;

export const elephant: Figure = {
  ...stands,
  scale: 1.35,
  main: hex("#8d98ad"),
  accent: hex("#d9a3ad"),
  parts: [
    swinging(stroke("dark", 5, "M176 92C190 104 188 128 184 138"), [176, 92], 8),
    shape("darker", rect(86, 138, 24, 56, 8)),
    shape("darker", rect(134, 138, 24, 56, 8)),
    shape(
      "main",
      "M62 96C62 60 104 48 140 56C174 64 184 100 178 140L178 188C178 196 152 196 152 188L150 156H102L100 188C100 196 72 196 72 188L72 146C64 134 60 116 62 96Z",
    ),
    swinging(stroke("main", 21, "M44 100C26 122 26 148 30 164C33 178 20 184 12 176"), [44, 100], 4),
    shape("main", dot(64, 86, 38)),
    shape("cream", "M46 118C38 132 26 134 18 128C32 128 36 118 38 110Z"),
    swinging(shape("dark", "M72 52C104 38 124 72 112 106C102 128 76 120 72 100Z"), [76, 76], 5),
    shape("accent", "M80 62C100 54 112 76 104 100C98 114 84 108 82 94Z"),
    shape("ink", dot(50, 80, 5)),
    shape("white", dot(51.5, 78, 1.8)),
    shape("pale", "M74 190h8v4h-8ZM86 190h8v4h-8ZM154 190h8v4h-8ZM166 190h8v4h-8Z"),
  ],
};

export const horse: Figure = {
  ...stands,
  scale: 1.25,
  main: hex("#9c6240"),
  accent: hex("#5a3524"),
  parts: [
    swinging(shape("accent", "M164 100C194 106 194 150 180 176C176 152 176 132 156 120Z"), [162, 104], 6),
    shape("darker", "M92 138L98 194H108L110 140ZM140 138L136 194H147L156 140Z"),
    shape(
      "main",
      "M66 102C84 90 132 88 154 96C170 102 174 122 168 138L170 190C170 196 157 196 156 190L148 146C126 156 104 154 92 148L88 190C87 196 75 196 75 190L70 142C60 132 58 112 66 102Z",
    ),
    shape(
      "main",
      "M62 124C52 104 50 84 54 70L42 80C34 86 22 80 24 70L46 38C54 26 76 26 84 42C92 60 94 82 104 100Z",
    ),
    shape("accent", "M72 28C96 42 106 72 108 104L90 96C92 72 84 52 68 38Z"),
    shape("main", "M62 32L64 12L76 28Z"),
    shape("light", "M24 72C26 64 32 60 38 64C42 72 38 82 32 82C26 82 22 78 24 72Z"),
    shape("ink", dot(52, 50, 4)),
    shape("white", dot(53, 48.6, 1.4)),
    stroke("ink", 2, "M27 76L36 78"),
    shape("ink", "M74 188h15v6h-15ZM155 188h16v6h-16Z"),
  ],
};

export const unicorn: Figure = {
  ...horse,
  main: hex("#f3eef6"),
  accent: hex("#c98bd0"),
  parts: [shape("gold", "M46 40L28 -4L60 30Z"), ...horse.parts],
};

export const deer: Figure = {
  ...stands,
  scale: 1.25,
  main: hex("#b9794a"),
  accent: hex("#7a4f34"),
  parts: [
    stroke(
      "accent",
      5,
      "M64 34C58 20 48 14 40 2M58 22C48 22 40 18 34 12M72 34C76 20 84 14 92 2M78 22C88 22 96 16 100 10",
    ),
    shape("darker", "M94 136L98 194H106L110 138ZM140 136L140 194H148L156 138Z"),
    shape(
      "main",
      "M70 104C86 94 132 92 152 98C166 104 170 120 166 134L168 190C168 195 158 195 157 190L148 142C128 150 104 150 94 146L90 190C89 195 79 195 79 190L74 140C64 130 62 112 70 104Z",
    ),
    shape(
      "main",
      "M70 126C58 104 58 86 60 70L46 76C36 80 30 72 34 66L52 44C58 34 76 34 82 46C88 62 92 84 104 102Z",
    ),
    shape("cream", "M64 88C64 104 70 118 78 124C84 112 78 92 70 82Z"),
    shape("main", "M76 42C90 28 104 32 106 38C98 48 86 52 78 50Z"),
    shape("main", "M58 42C50 32 42 34 40 38C44 46 52 48 58 48Z"),
    shape("ink", oval(36, 70, 5, 4)),
    shape("ink", dot(59, 54, 4)),
    shape("white", dot(60, 52.6, 1.4)),
    shape("white", "M162 100C176 98 178 112 168 118Z"),
    shape(
      "cream",
      "M112 106a4 4 0 1 0 .1 0ZM130 102a4 4 0 1 0 .1 0ZM124 118a4 4 0 1 0 .1 0ZM146 112a4 4 0 1 0 .1 0Z",
    ),
  ],
};

export const cow: Figure = {
  ...stands,
  scale: 1.2,
  main: hex("#f4efe6"),
  accent: hex("#3a3440"),
  parts: [
    swinging(stroke("dark", 4, "M176 98C188 112 186 132 182 144"), [176, 98], 8),
    swinging(shape("accent", oval(181, 150, 5, 9)), [176, 98], 8),
    shape("dark", rect(84, 140, 16, 54, 4)),
    shape("dark", rect(142, 140, 16, 54, 4)),
    shape(
      "main",
      "M60 96C64 82 150 80 170 88C182 96 180 128 174 144L174 190C174 195 160 195 160 190L158 152H92L90 190C90 195 76 195 76 190L74 146C62 136 56 112 60 96Z",
    ),
    shape(
      "accent",
      "M104 84C130 80 138 100 126 112C110 120 96 104 104 84ZM152 86C176 86 182 112 172 124C158 122 146 100 152 86ZM84 150C78 132 92 128 102 138C106 148 96 154 84 150Z",
    ),
    shape("pink", oval(134, 154, 14, 9)),
    shape("cream", "M40 54C30 44 34 34 38 32C40 42 48 46 52 50ZM88 54C98 44 94 34 90 32C88 42 80 46 76 50Z"),
    shape(
      "accent",
      "M36 66C22 58 16 66 18 72C26 80 36 76 40 74ZM90 66C104 58 110 66 108 72C100 80 90 76 86 74Z",
    ),
    shape("main", "M38 60C42 46 84 46 90 60C94 84 88 112 64 114C40 112 34 84 38 60Z"),
    shape("accent", "M38 62C42 48 58 46 62 50C66 70 54 84 40 84Z"),
    shape("pink", oval(64, 102, 23, 15)),
    shape(
      "ink",
      "M54 102a3 4 0 1 0 .1 0ZM74 102a3 4 0 1 0 .1 0ZM50 72a5 6 0 1 0 .1 0ZM78 72a5 6 0 1 0 .1 0Z",
    ),
    shape("white", "M50 73a2 2 0 1 0 .1 0Z"),
  ],
};

const WOOL =
  "M60 130C44 126 44 104 58 100C56 84 76 74 90 82C98 68 122 68 130 80C146 72 166 84 162 100C178 106 178 128 162 134C164 150 142 158 132 148C122 160 98 160 90 148C76 156 58 146 60 130Z";

export const sheep: Figure = {
  ...stands,
  main: hex("#f6f1e8"),
  accent: hex("#4a4150"),
  parts: [
    shape("accent", rect(78, 140, 11, 54, 4)),
    shape("accent", rect(134, 140, 11, 54, 4)),
    shape("accent", rect(94, 142, 11, 52, 4)),
    shape("accent", rect(118, 142, 11, 52, 4)),
    shape("main", WOOL),
    stroke(
      "dark",
      3,
      "M96 104C104 98 112 102 112 110M128 118C136 112 144 116 144 124M92 126C98 120 108 122 108 130",
    ),
    shape("accent", "M44 82C30 76 24 84 26 90C34 96 42 92 46 90Z"),
    shape("accentDark", "M80 84C92 76 100 82 98 90C90 96 82 92 78 90Z"),
    shape("accent", "M44 74C48 62 76 62 80 74C86 96 80 122 62 124C44 122 38 96 44 74Z"),
    shape(
      "main",
      "M42 78C38 62 50 54 58 58C66 50 82 56 82 70C84 78 76 82 72 76C66 84 58 82 56 76C50 84 44 82 42 78Z",
    ),
    shape("white", "M54 92a5 5 0 1 0 .1 0ZM70 92a5 5 0 1 0 .1 0Z"),
    shape("ink", "M54 94a3 3 0 1 0 .1 0ZM70 94a3 3 0 1 0 .1 0Z"),
    stroke("pink", 2.5, "M58 114C60 117 64 117 66 114"),
  ],
};
