import { folded, numberOf, type Word } from "./words.ts";

// Words with which people begin and join any wish, in the languages of the portal: two titles that share only these
// share nothing. A word that names a thing in one of the languages is not here, as the button "like".
const WORDS = {
  en: `
    able about add after all allow also am an and any are as at be because been before but by can could do does
    doesnt dont every for from get had has have how if im in instead into is isnt it its ive just let lets make me
    more my need needs not now of off on one only or our out over please should so some such than that thats the
    their them then there theres they this to too up us very want wanted wants was way we were what when where which
    while who why will with without would you your
  `,
  de: `
    aber alle als am an auch auf aus bei beim bitte brauche brauchen damit dann das dass dem den der des die durch
    ein eine einem einen einer eines er es etwas fehlt für gibt haben hat hier hinzufügen hätte hätten ich ihr ihre
    im in ins ist kann kein keine keinen kommt können könnte könnten lassen mehr mein meine meinen meiner mich
    mir mit muss möchte möchten müssen nach nicht noch nur ob oder ohne sein seine selbst sich sie sind so soll
    sollen sollte sollten um und uns unser unsere vom von vor warum weil welche wenn wer werden wie wieder wir wird
    wollen wurde wäre wünsche wünschen würde würden zu zum zur über
  `,
  fr: `
    afin aimerais aimerait aimerions ajouter ajoutez au aussi aux avec avoir besoin ce ceci cela ces cette comme
    dans de depuis des dont du elle elles en est et faire faudrait faut il ils je jusqu la le les leur leurs
    lorsqu lorsque mais mettre mon ne nos notre nous on ont ou où par pas permettre peut plaît pour pourquoi
    pourrait pouvoir puisse qu quand que quel quelle qui sans se serait ses sont sur très un une vos votre voudrais
    voudrait vous être
  `,
  es: `
    agregar ahora al algo alguna algún así aunque añadir cada como con cuando cuál cómo de debería del desde donde
    dónde el ella ellos en entre es esa ese eso esta este esto está están favor gustaría haber hacer hasta hay la
    las le lo los me mi mis muy más necesitamos necesito ni no nos nuestra nuestro o os otra otro para permitir pero
    poder podría por porque pueda puedan puede pueden que queremos querer quiero quisiera qué se ser si sido sin
    sobre su sus sí también tener tengo tiene un una unas uno unos ya
  `,
  pt: `
    adicionar algum alguma ao aos aqui as assim até com como da das de depois deve deveria do dos duas e ela ele
    eles em entre então essa esse esta estar este está eu fazer foi gostaria há isso isto já mais mas me mesmo meu
    meus minha muito na nas nem no nos nossa nosso não o onde os ou para pela pelo pelos permitir pode podem poder
    poderia por porque possa precisamos preciso quando que queria quero seja sem ser seu seus sua suas são só também
    tem temos ter toda um uma umas uns você vocês
  `,
  ja: `
    ありがたい いたい いただきたい いただく いただける うれしい お願い ください くらい けれど さらに すること
    そのまま それぞれ それで たとえば できない できます できる できれば でした ですが という として とても
    どうか どうして どうやって なので なのに なりません について によって による ほしい ません または もっと
    もらいたい もらう もらえる られる 下さい 出来る 場合 思い 思います 思う 方法 欲しい 無い 追加
  `,
};

const FILLERS: ReadonlySet<string> = new Set(
  Object.values(WORDS).flatMap((words) => words.trim().split(/\s+/).map(folded)),
);
const NUMBERS: ReadonlySet<number> = new Set([...FILLERS].map(numberOf));

// Japanese writes things in other letters: so short a piece of Hiragana is an ending or a particle.
const JAPANESE_ENDING = /^\p{Script=Hiragana}{1,2}$/u;

/** Whether a folded word says nothing of what a text is about. */
export function isFiller(word: string): boolean {
  return FILLERS.has(word) || JAPANESE_ENDING.test(word);
}

/** Whether a word of a text says something of it: no filler, and not only fillers that a sign joins (`d'une`). */
export function isTelling({ joined, parts }: Word): boolean {
  return !isFiller(joined) && (parts.size === 0 || ![...parts].every(isFiller));
}

/** Leaves out the numbers of fillers. */
export function withoutFillers(numbers: ReadonlySet<number>): Set<number> {
  return new Set([...numbers].filter((number) => !NUMBERS.has(number)));
}
