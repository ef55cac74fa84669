import { hex } from "../../colour.ts";
import { dot, eyes, type Figure, oval, pair, shape, stroke, strokes, swinging } from "../figure.ts";

const SITTING = "M62 196C52 150 66 110 100 108C134 110 148 150 138 196Z";
const standsOfPets = { pose: "stand", foot: 196, scale: 1 } as const;

export const cat: Figure = {
  ...standsOfPets,
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
  ...standsOfPets,
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
  ...standsOfPets,
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

export const owl: Figure = {
  pose: "stand",
  foot: 190,
  scale: 0.95,
  main: hex("#9a7352"),
  accent: hex("#f0d9b5"),
  parts: [
    stroke("wood", 12, "M30 188H170"),
    shape(
      "main",
      "M52 70C48 40 70 24 100 24C130 24 152 40 148 70C156 120 148 184 100 186C52 184 44 120 52 70Z",
    ),
    pair("dark", "M50 84C36 110 42 150 62 168C70 140 66 108 60 88Z"),
    shape("accent", "M68 104C82 92 118 92 132 104C136 150 122 176 100 178C78 176 64 150 68 104Z"),
    stroke(
      "main",
      4,
      "M84 118L91 125L98 118M102 118L109 125L116 118M76 136L83 143L90 136M93 136L100 143L107 136M110 136L117 143L124 136M86 154L93 161L100 154L107 161L114 154",
    ),
    pair("dark", "M54 56C48 40 48 26 52 16C66 22 78 30 86 40Z"),
    pair("accent", dot(78, 72, 25)),
    pair("gold", dot(79, 73, 17)),
    pair("ink", dot(80, 74, 10)),
    pair("white", dot(84, 69, 3.6)),
    shape("gold", "M92 84H108L100 102Z"),
    pair("gold", "M76 182a6 7 0 1 0 .1 0ZM88 182a6 7 0 1 0 .1 0Z"),
  ],
};

export const bird: Figure = {
  pose: "stand",
  foot: 184,
  scale: 0.78,
  main: hex("#4a90c9"),
  accent: hex("#f0803c"),
  parts: [
    shape("darker", "M136 118L194 132L186 148L132 142Z"),
    stroke("woodDark", 5, "M94 160L90 184M112 160L112 184M82 184H96M104 184H120"),
    shape(
      "main",
      "M44 92C44 60 70 44 92 48C116 52 150 96 152 124C150 152 122 166 98 164C64 162 42 132 44 92Z",
    ),
    shape("accent", "M46 104C50 92 70 96 84 110C98 126 98 154 92 164C62 158 44 134 46 104Z"),
    swinging(shape("dark", "M92 104C116 96 150 110 168 138C140 146 104 144 92 126Z"), [98, 114], 5),
    stroke("light", 3, "M110 122C124 122 138 128 148 134M106 112C122 112 138 118 150 126"),
    shape("gold", "M46 80L20 90L46 96Z"),
    shape("ink", dot(66, 78, 7)),
    shape("white", dot(63.5, 75, 2.6)),
  ],
};
