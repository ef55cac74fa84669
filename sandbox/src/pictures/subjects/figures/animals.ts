import { hex } from "../../colour.ts";
import { dot, eyes, type Figure, oval, pair, rect, shape, stroke, strokes, swinging } from "../figure.ts";

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

export const rabbit: Figure = {
  ...standsOfPets,
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

const standsOfGrazers = { pose: "stand", foot: 194, scale: 1.1 } as const;

export const horse: Figure = {
  ...standsOfGrazers,
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

export const fish: Figure = {
  pose: "swim",
  foot: 160,
  scale: 0.9,
  main: hex("#f28a3c"),
  accent: hex("#fff3dc"),
  parts: [
    swinging(
      shape("dark", "M140 100C160 70 186 60 194 64C188 84 186 116 194 138C184 140 160 130 140 104Z"),
      [142, 102],
      11,
    ),
    shape("dark", "M76 62C92 34 124 36 134 44C132 56 124 66 114 70Z"),
    swinging(shape("dark", "M84 138C88 158 104 166 116 162C112 150 108 140 104 134Z"), [92, 138], 9),
    shape("main", "M10 102C28 58 104 46 150 98C104 154 30 146 10 102Z"),
    shape(
      "accent",
      "M62 66C74 78 76 122 62 137C72 140 84 141 90 139C98 118 98 86 90 64C80 62 70 63 62 66ZM112 72C120 84 120 116 112 130C122 126 132 118 138 110C142 102 140 98 138 92C132 86 122 76 112 72Z",
    ),
    swinging(shape("light", "M88 104C100 96 116 104 120 118C108 124 94 118 88 108Z"), [88, 106], 14),
    shape("white", dot(40, 92, 12)),
    shape("ink", dot(38, 93, 7)),
    shape("white", dot(36, 90, 2.6)),
    stroke("dark", 3, "M14 108C20 113 26 113 30 109"),
  ],
};

export const whale: Figure = {
  pose: "float",
  foot: 150,
  scale: 1.3,
  main: hex("#3f6fa8"),
  accent: hex("#dcebf5"),
  parts: [
    swinging(stroke("glass", 6, "M70 44C66 26 52 20 42 26M74 44C76 24 92 18 102 26M72 46V24"), [72, 46], 4),
    swinging(
      shape(
        "dark",
        "M160 104C172 84 170 66 156 56C174 54 186 62 188 74C194 62 202 60 208 62C206 82 190 104 172 118Z",
      ),
      [166, 110],
      6,
    ),
    shape(
      "main",
      "M10 104C12 66 50 44 92 50C130 56 148 90 172 98C170 138 132 164 88 162C40 160 8 142 10 104Z",
    ),
    shape("accent", "M12 116C36 134 86 136 128 122C118 150 100 161 84 162C44 160 16 146 12 116Z"),
    stroke(
      "main",
      2.4,
      "M34 132C40 142 50 150 60 154M54 136C60 146 70 152 80 156M76 137C82 145 92 150 100 152",
    ),
    swinging(shape("dark", "M92 130C104 150 124 158 136 152C130 138 116 126 104 122Z"), [98, 128], 8),
    shape("ink", dot(44, 102, 5.5)),
    shape("white", dot(42.4, 100, 2)),
    stroke("dark", 3, "M14 116C28 126 40 128 52 126"),
  ],
};
