import { hex } from "../../colour.ts";
import { dot, eyes, type Figure, oval, pair, rect, shape, stroke, strokes, swinging } from "../figure.ts";

const SITTING = "M62 196C52 150 66 110 100 108C134 110 148 150 138 196Z";
const stands = { pose: "stand", foot: 196, scale: 1 } as const;

export const cat: Figure = {
  ...stands,
  main: hex("#e8964a"),
  accent: hex("#f7d9b0"),
  parts: [
    swinging(stroke("dark", 15, "M134 184C172 190 188 158 170 130"), [136, 184], 7),
    shape("main", SITTING),
    shape("pale", oval(100, 160, 21, 30)),
    stroke("dark", 2.5, "M91 194V170M109 194V170"),
    pair("light", oval(83, 191, 14, 8)),
    pair("main", "M58 70C52 50 54 30 58 20C72 26 86 36 94 48Z"),
    pair("pink", "M64 58C61 48 61 38 63 32C71 36 78 42 83 50Z"),
    shape("main", oval(100, 78, 49, 42)),
    stroke("dark", 5, "M100 38V52M86 41L89 53M114 41L111 53"),
    strokes("dark", 4, "M54 82L66 84M56 92L67 91"),
    shape("pale", oval(100, 95, 21, 14)),
    ...eyes(79, 77, 8),
    shape("pink", "M94 87H106L100 94Z"),
    strokes("ink", 2.2, "M100 94C98 101 91 102 88 98"),
    strokes("ink", 1.3, "M72 94L44 88M72 98L45 102"),
  ],
};

export const dog: Figure = {
  ...stands,
  main: hex("#c98d56"),
  accent: hex("#d8432f"),
  parts: [
    swinging(stroke("main", 15, "M134 180C158 178 172 158 168 138"), [136, 180], 14),
    shape("main", SITTING),
    shape("pale", "M80 122C84 162 116 162 120 122C112 112 88 112 80 122Z"),
    stroke("dark", 2.5, "M91 194V172M109 194V172"),
    pair("light", oval(82, 190, 15, 9)),
    shape("accent", "M70 112C88 124 112 124 130 112L127 123C110 134 90 134 73 123Z"),
    shape("gold", dot(100, 134, 7)),
    shape(
      "main",
      "M56 74C56 44 76 30 100 30C124 30 144 44 144 74C144 102 124 118 100 118C76 118 56 102 56 74Z",
    ),
    shape("pale", "M93 31H107L113 80H87Z"),
    pair("dark", "M68 40C44 34 30 62 38 100C52 108 64 88 66 66Z"),
    shape("pale", oval(100, 94, 27, 20)),
    ...eyes(79, 72, 7),
    shape("ink", oval(100, 84, 10, 7.5)),
    shape("pink", "M92 104C92 120 108 120 108 104Z"),
    strokes("ink", 2.4, "M100 91V99C97 106 86 106 83 100"),
  ],
};

export const fox: Figure = {
  ...stands,
  main: hex("#e2702f"),
  accent: hex("#fff4e6"),
  parts: [
    swinging(shape("main", "M128 188C196 198 206 138 166 106C164 138 152 148 130 158Z"), [132, 186], 5),
    swinging(shape("cream", "M166 106C186 122 194 142 188 160C174 152 164 134 166 106Z"), [132, 186], 5),
    shape("main", SITTING),
    shape("cream", "M78 126C90 112 110 112 122 126C118 160 108 174 100 178C92 174 82 160 78 126Z"),
    stroke("dark", 2.5, "M91 194V176M109 194V176"),
    pair("ink", oval(83, 191, 13, 7)),
    pair("main", "M54 76C50 52 50 30 54 16C70 24 84 38 92 52Z"),
    pair("ink", "M53 42C52 32 52 24 54 16C62 20 68 26 74 32Z"),
    shape(
      "main",
      "M100 126C72 116 44 94 51 68C58 48 82 40 100 40C118 40 142 48 149 68C156 94 128 116 100 126Z",
    ),
    pair("cream", "M100 124C74 116 48 96 50 80C68 80 90 92 100 110Z"),
    ...eyes(77, 78, 7),
    shape("ink", oval(100, 118, 9, 7)),
  ],
};

export const rabbit: Figure = {
  ...stands,
  main: hex("#cbb8a6"),
  accent: hex("#f2a3b4"),
  parts: [
    shape("white", dot(144, 178, 14)),
    shape("main", "M64 196C56 156 72 126 100 124C128 126 144 156 136 196Z"),
    shape("pale", oval(100, 168, 22, 25)),
    pair("light", oval(78, 190, 20, 9)),
    swinging(pair("main", "M76 74C52 40 52 2 68 2C86 4 94 42 93 70Z"), [84, 72], 3),
    swinging(pair("pink", "M78 62C66 42 62 16 69 14C80 18 85 42 85 62Z"), [84, 72], 3),
    shape("main", oval(100, 96, 42, 37)),
    shape("pale", oval(100, 110, 22, 14)),
    pair("pink", oval(70, 106, 8, 5)),
    ...eyes(80, 92, 7),
    shape("pink", "M94 101H106L100 107Z"),
    shape("white", rect(95, 113, 10, 9, 2)),
    strokes("ink", 2, "M100 107C98 114 90 115 87 111"),
    strokes("ink", 1.2, "M76 108L50 102M76 112L51 116"),
  ],
};

export const bear: Figure = {
  ...stands,
  main: hex("#8f6245"),
  accent: hex("#e9cda6"),
  parts: [
    pair("dark", "M58 124C32 138 28 168 44 178C58 176 64 150 68 136Z"),
    shape("main", oval(100, 150, 50, 46)),
    shape("accent", oval(100, 156, 30, 31)),
    pair("dark", oval(72, 188, 22, 12)),
    pair("accent", oval(71, 188, 11, 7)),
    pair("main", dot(60, 44, 19)),
    pair("accent", dot(61, 46, 10)),
    shape("main", oval(100, 78, 52, 45)),
    shape("accent", oval(100, 96, 25, 19)),
    ...eyes(77, 74, 6.5),
    shape("ink", oval(100, 87, 10, 7)),
    strokes("ink", 2.4, "M100 93V100C97 107 88 106 86 102"),
  ],
};

export const lion: Figure = {
  ...stands,
  main: hex("#e6ae56"),
  accent: hex("#b4602c"),
  parts: [
    swinging(stroke("main", 8, "M134 186C172 190 182 158 172 138"), [136, 186], 9),
    swinging(shape("accent", dot(171, 132, 12)), [136, 186], 9),
    shape("main", SITTING),
    shape("pale", oval(100, 164, 20, 26)),
    stroke("dark", 2.5, "M91 194V172M109 194V172"),
    pair("light", oval(82, 190, 16, 9)),
    shape(
      "accent",
      "M100 18C114 8 126 18 130 28C144 24 154 36 152 50C166 56 168 72 160 82C168 94 162 110 148 114C146 128 132 136 120 130C112 140 88 140 80 130C68 136 54 128 52 114C38 110 32 94 40 82C32 72 34 56 48 50C46 36 56 24 70 28C74 18 86 8 100 18Z",
    ),
    pair("main", dot(68, 48, 12)),
    shape("main", oval(100, 80, 42, 40)),
    shape("pale", oval(100, 98, 22, 16)),
    ...eyes(82, 76, 6.5),
    shape("woodDark", "M92 88H108L100 97Z"),
    strokes("ink", 2.2, "M100 97C98 105 90 106 87 102"),
  ],
};
