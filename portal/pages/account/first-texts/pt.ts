import type { FirstTexts } from "./en.ts";

export const pt: FirstTexts = {
  setUp: "Configure seu site",
  welcome: "Boas-vindas! Aqui as pessoas vão contar do que precisam e votar nas ideias umas das outras.",
  siteTitleHint: "Aparece no alto de cada página. Você pode mudá-lo depois.",
  setupCode: "Código de configuração",
  setupCodeHint: "Quem opera este serviço deu o código a você.",
  asksSetupCode: "Este site pede o código de configuração.",
  wrongSetupCode: "Este não é o código de configuração.",
  next: "O que vem depois",
  nextOwner: "Você entrou como proprietário.",
  nextMail: "Um e-mail pede que você confirme seu endereço de e-mail.",
  nextSteps: "Uma pequena lista de primeiros passos orienta você.",
  SETUP_COMPLETED: "Este site já está configurado.",
  invitedTo: "Boas-vindas a {title}",
  invitedBy:
    "O proprietário deste site convidou você. Com sua conta você pode publicar, votar e comentar. Escolha uma senha.",
  setAndEnter: "Salvar a senha e entrar",
  invitedIn: "Você entrou. Vote no que precisa ou publique.",
  passwordSet: "Sua nova senha já vale. Entre com ela.",
};
