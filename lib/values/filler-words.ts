import { folded } from "./words.ts";

// Words with which people begin and join any wish, in the languages of the portal: two titles that share only these
// share nothing. A word that names a thing in one of the languages is not here, as the button "like".
const WORDS = `
  add allow also am an and are as at be because been but by can could do does for from had has have how if in into is
  it make me more my need not now of on or our please should so some than that the their them then there they this to
  up us want was we were what when where which while who will with would you your
  als am an auch auf aus bei beim bitte das dass dem den der des die ein eine einen einer eines er es für hat ich im
  in ist kann können mehr mit möchte nach nicht ob oder sein sich sind so über um und unser von vom vor wäre wenn wie
  wir wird zu zum zur
  ajouter au aux avec ce ces cette comme dans de des du elle en est et être il je la le les leur mais ne nos notre
  nous ou par pas pour pouvoir quand que qui se ses sont sur très un une vos votre vous voudrais
  al añadir como con cuando de del desde donde el ella en es esta este hay la las le lo los más mi mis muy no nos
  nuestra nuestro para pero poder por porque que queremos quiero quisiera se si sin sobre su sus un una y
  adicionar ao aos as com como da das de do dos e ela ele em esta este foi isso mais mas meu minha na não nas no nos
  nossa nosso o os ou para pela pelo poder por quando que quero são se sem ser seu sua um uma
`;

const FILLERS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/).map(folded));

/** Whether a folded word says nothing of what a text is about. */
export function isFiller(word: string): boolean {
  return FILLERS.has(word);
}
