/** A few words of three more languages, so that a prompt in one of them is not drawn entirely at random. */
const LISTS = {
  german:
    "haus house, see lake, meer sea, strand beach, berg mountain, berge mountain, wald forest, stadt city, wueste desert, wiese meadow, feld field, fluss river, insel island, weltraum space, katze cat, katzen cat, hund dog, hunde dog, fuchs fox, hase rabbit, baer bear, pferd horse, vogel bird, voegel bird, fisch fish, eule owl, drache dragon, schiff ship, boot boat, rakete rocket, auto car, zug train, fahrrad bicycle, schloss castle, burg castle, leuchtturm lighthouse, baum tree, baeume tree, blume flower, blumen flower, kaffee coffee, kuchen cake, buch book, frau woman, mann man, kind child, roboter robot, sonnenuntergang sunset, sonnenaufgang sunrise, nacht night, morgen morning, abend evening, regen rain, schnee snow, nebel fog, herbst autumn, fruehling spring, sommer summer, mond moon, sterne star, zwei two, drei three, vier four, fuenf five, sechs six, sieben seven, acht eight, neun nine, zehn ten, rot red, blau blue, gruen green, gelb yellow",
  french:
    "maison house, lac lake, la mer sea, mer sea, plage beach, montagne mountain, foret forest, ville city, riviere river, ile island, espace space, chaton cat, chien dog, renard fox, lapin rabbit, ours bear, cheval horse, chevaux horse, oiseau bird, oiseaux bird, poisson fish, hibou owl, bateau boat, bateaux boat, fusee rocket, voiture car, velo bicycle, chateau castle, chateaux castle, phare lighthouse, arbre tree, fleur flower, gateau cake, gateaux cake, livre book, femme woman, homme man, enfant child, nuit night, matin morning, soir evening, pluie rain, neige snow, brouillard fog, automne autumn, printemps spring, hiver winter, lune moon, etoile star, deux two, trois three, quatre four, cinq five, sept seven, huit eight, neuf nine, dix ten, rouge red, bleu blue, vert green, jaune yellow",
  spanish:
    "casa house, lago lake, mar sea, playa beach, montana mountain, bosque forest, ciudad city, desierto desert, rio river, isla island, espacio space, gato cat, perro dog, zorro fox, conejo rabbit, oso bear, caballo horse, pajaro bird, pez fish, buho owl, barco boat, cohete rocket, coche car, tren train, bicicleta bicycle, castillo castle, faro lighthouse, arbol tree, flor flower, cafe coffee, pastel cake, libro book, mujer woman, hombre man, nino child, atardecer sunset, amanecer sunrise, noche night, manana morning, lluvia rain, nieve snow, niebla fog, otono autumn, primavera spring, verano summer, invierno winter, luna moon, estrella star, dos two, tres three, cuatro four, cinco five, seis six, siete seven, ocho eight, nueve nine, diez ten, rojo red, azul blue, verde green, amarillo yellow",
} as const;

/** These also mean something in English, which takes precedence. */
const KEPT = new Set(["see", "pastel", "mar", "kind", "boot", "ours", "mer"]);

export const ENGLISH_OF: ReadonlyMap<string, string> = new Map(
  Object.values(LISTS).flatMap((list) =>
    list
      .split(",")
      .map((pair) => /^(.+) (\S+)$/.exec(pair.trim()) ?? [])
      .flatMap(([, word = "", english = ""]): [string, string][] =>
        KEPT.has(word) ? [] : [[word, english]],
      ),
  ),
);
