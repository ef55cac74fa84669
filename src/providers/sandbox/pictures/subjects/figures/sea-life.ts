import { hex } from "../../colour.ts";
import { dot, eyes, type Figure, oval, pair, shape, stroke, swinging } from "../figure.ts";

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

export const turtle: Figure = {
  pose: "stand",
  foot: 172,
  scale: 0.85,
  main: hex("#5fa567"),
  accent: hex("#8a6a44"),
  parts: [
    shape("main", "M172 146L192 152L174 158Z"),
    swinging(shape("dark", "M62 144C50 160 46 172 56 172H76C82 160 84 150 82 144Z"), [70, 146], 8),
    swinging(shape("dark", "M128 144C134 160 138 172 150 172H164C166 158 158 148 150 142Z"), [144, 146], -8),
    shape("main", "M56 132C40 112 20 106 12 118C4 134 16 150 34 150C44 152 52 150 60 148Z"),
    shape("accent", "M44 148C40 98 72 66 110 66C150 66 180 100 178 148Z"),
    shape(
      "accentLight",
      "M96 76H124L134 106L110 124L86 106ZM80 84C68 92 58 108 54 126L78 132L82 108ZM140 84C154 92 164 108 168 128L142 132L138 108ZM92 128L110 134L130 128V146H92Z",
    ),
    shape("cream", "M42 146C80 156 140 156 180 146L178 154C140 164 82 164 46 154Z"),
    shape("ink", dot(24, 124, 4.5)),
    shape("white", dot(22.8, 122.4, 1.6)),
    stroke("dark", 2.4, "M12 136C18 141 24 141 29 138"),
  ],
};

export const octopus: Figure = {
  pose: "swim",
  foot: 186,
  scale: 1,
  main: hex("#d4648f"),
  accent: hex("#f5b5c8"),
  parts: [
    swinging(
      pair(
        "dark",
        "M70 120C50 130 30 128 22 144C14 166 36 176 44 162C34 164 32 152 42 148C58 146 74 146 84 132Z",
      ),
      [76, 124],
      7,
    ),
    swinging(
      pair(
        "main",
        "M78 124C70 146 50 158 54 178C62 196 84 190 82 174C74 180 66 172 72 164C82 156 94 148 96 130Z",
      ),
      [84, 128],
      -6,
    ),
    swinging(
      pair("dark", "M90 128C94 150 88 164 94 182C98 190 108 188 106 178C102 166 108 150 106 128Z"),
      [98, 128],
      4,
    ),
    shape(
      "main",
      "M46 92C42 44 66 14 100 14C134 14 158 44 154 92C152 118 132 136 100 136C68 136 48 118 46 92Z",
    ),
    shape("light", "M62 52C68 36 82 28 92 28C78 40 70 56 68 72C60 70 58 60 62 52Z"),
    pair("white", dot(78, 92, 15)),
    pair("ink", dot(79, 94, 8)),
    pair("white", dot(82, 90, 3)),
    pair("accent", oval(60, 110, 8, 5)),
    stroke("ink", 2.6, "M92 112C96 118 104 118 108 112"),
  ],
};

export const ghost: Figure = {
  pose: "hover",
  foot: 190,
  scale: 0.9,
  main: hex("#f2f0fa"),
  accent: hex("#b7aee0"),
  parts: [
    shape(
      "main",
      "M46 188C44 140 40 20 100 18C160 20 156 140 154 188C144 196 138 172 128 184C118 196 110 176 100 188C90 198 82 176 72 186C62 194 54 176 46 188Z",
    ),
    shape("accent", "M124 30C160 50 154 140 154 188C148 192 142 184 136 182C140 130 146 74 124 30Z"),
    ...eyes(80, 84, 10),
    shape("ink", oval(100, 116, 10, 13)),
    pair("pink", oval(64, 104, 9, 6)),
    swinging(pair("main", "M50 112C32 116 26 130 34 138C46 140 52 130 56 124Z"), [52, 118], 8),
  ],
};
