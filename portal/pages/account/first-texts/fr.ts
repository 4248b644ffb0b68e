import type { FirstTexts } from "./en.ts";

export const fr: FirstTexts = {
  setUp: "Configurez votre site",
  welcome: "Bienvenue ! Ici, les gens vous diront ce dont ils ont besoin et voteront pour les idées des autres.",
  siteTitleHint: "Il apparaît en haut de chaque page. Vous pourrez le changer plus tard.",
  setupCode: "Code de configuration",
  setupCodeHint: "La personne qui exploite ce service vous l’a donné.",
  asksSetupCode: "Ce site demande son code de configuration.",
  wrongSetupCode: "Ce n’est pas le code de configuration.",
  next: "La suite",
  nextOwner: "Vous êtes connecté comme propriétaire.",
  nextMail: "Un e-mail vous demande de confirmer votre adresse e-mail.",
  nextSteps: "Une courte liste de premiers pas vous guide.",
  SETUP_COMPLETED: "Ce site est déjà configuré.",
  invitedTo: "Bienvenue sur {title}",
  invitedBy:
    "Le propriétaire de ce site vous a invité. Avec votre compte, vous pouvez publier, voter et commenter. Choisissez un mot de passe.",
  setAndEnter: "Enregistrer et se connecter",
  invitedIn: "Vous êtes connecté. Votez pour ce dont vous avez besoin, ou publiez-le.",
  passwordSet: "Votre nouveau mot de passe est enregistré. Connectez-vous.",
};
