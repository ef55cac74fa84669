import { hex } from "../../colour.ts";
import { dot, type Figure, oval, type Part, rect, shape, stroke } from "../figure.ts";

const drives = { pose: "stand", foot: 178, scale: 1.2 } as const;

function wheel(x: number, y: number, radius: number): Part[] {
  return [
    shape("ink", dot(x, y, radius)),
    shape("metal", dot(x, y, radius * 0.55)),
    shape("metalDark", dot(x, y, radius * 0.2)),
  ];
}

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

export const train: Figure = {
  ...drives,
  scale: 1.35,
  main: hex("#35507a"),
  accent: hex("#d8432f"),
  parts: [
    shape("pale", "M40 30a14 12 0 1 0 .1 0ZM62 12a18 15 0 1 0 .1 0ZM96 0a22 17 0 1 0 .1 0Z"),
    shape("ink", "M28 56H56L50 96H34Z"),
    shape("gold", rect(24, 50, 36, 9, 3)),
    shape("gold", "M76 84C76 66 100 66 100 84V96H76Z"),
    shape("main", "M18 92H126V140H18C12 130 12 104 18 92Z"),
    shape("light", "M18 98H126V106H16C16 103 17 100 18 98Z"),
    shape("accent", "M60 92H68V140H60ZM96 92H104V140H96Z"),
    shape("main", rect(120, 58, 70, 84, 4)),
    shape("accent", rect(112, 46, 86, 14, 6)),
    shape("glass", rect(132, 72, 22, 28, 4)),
    shape("glass", rect(160, 72, 20, 28, 4)),
    shape("accent", rect(10, 138, 184, 14, 4)),
    shape("ink", "M14 150L-6 178H30L34 150Z"),
    shape("gold", dot(16, 112, 8)),
    ...wheel(56, 160, 17),
    ...wheel(98, 160, 17),
    ...wheel(154, 154, 24),
    stroke("metal", 6, "M56 164H154"),
  ],
};

export const bicycle: Figure = {
  ...drives,
  scale: 1,
  main: hex("#2f8f83"),
  accent: hex("#8a5a3b"),
  parts: [
    stroke("ink", 6, `${dot(46, 140, 38)}${dot(154, 140, 38)}`),
    stroke(
      "metal",
      1.4,
      "M46 102V178M8 140H84M19 113L73 167M19 167L73 113M154 102V178M116 140H192M127 113L181 167M127 167L181 113",
    ),
    stroke("main", 6, "M46 140L78 82L132 82L96 140H46M78 82L96 140L138 90M154 140L128 62"),
    stroke("metalDark", 5, "M128 62L112 56M128 62L144 54M78 82L74 68"),
    shape("accent", "M56 62H92C94 70 84 72 72 72C62 72 56 68 56 62Z"),
    shape("metalDark", dot(96, 140, 10)),
    shape("wood", "M136 66H176L170 96H142Z"),
    stroke("woodDark", 2, "M138 76H174M140 86H172"),
    shape("pink", "M146 60a8 8 0 1 0 .1 0ZM160 54a9 9 0 1 0 .1 0ZM170 62a7 7 0 1 0 .1 0Z"),
  ],
};
