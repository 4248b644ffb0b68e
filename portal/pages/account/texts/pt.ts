import type { AccountTexts } from "./en.ts";

export const pt: AccountTexts = {
  // The set-up, an invitation, a new password.
  setUp: "Configure seu site",
  welcome: "Boas-vindas! Aqui as pessoas vão contar do que precisam e votar nas ideias umas das outras.",
  titleHint: "Aparece no alto de cada página. Você pode mudá-lo depois.",
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

  // The owner's product.
  SSO_NOT_ALLOWED: "Neste site não se entra pelo nosso produto.",
  SSO_REFUSED: "Este link já foi usado ou expirou. Volte ao nosso produto e abra-o de novo.",
  SIGN_IN_TO_LINK: "Seu e-mail já tem uma conta aqui. Entre como antes e vincule esta forma de entrar no seu perfil.",
  STAFF_NOT_ALLOWED: "A equipe não pode entrar desta forma.",
  continueAs: "Continuar como {name}",
  productHasAccount: "Seu e-mail já tem uma conta aqui. Entre como antes e depois a vincule.",
  productAsksToLink: "Esta conta tem seu e-mail. Vincule-a e, daqui em diante, você entra pelo link do nosso produto.",
  linkProduct: "Vincular esta conta",

  // The second step of a sign-in.
  twoFactorHint:
    "Para entrar, você também vai precisar de um código de um aplicativo do seu telefone. Só a senha não basta mais.",
  twoFactorIsOn: "Está ativada.",
  twoFactorOn: "Ativar",
  twoFactorOff: "Desativar",
  twoFactorEnded: "A entrada em duas etapas está desativada.",
  twoFactorMust: "Este site exige da equipe a entrada em duas etapas. Configure-a agora.",
  scanCode: "Leia este código QR com um aplicativo autenticador ou digite nele o segredo.",
  qrCode: "Código QR do segredo",
  openApp: "Abrir o aplicativo neste aparelho",
  recoveryCodes: "Códigos de recuperação",
  recoveryHint:
    "Guarde estes códigos onde possa encontrá-los sem o telefone. Cada um substitui uma vez o aplicativo, e eles só aparecem agora.",
  codesKept: "Já os guardei",
  copy: "Copiar",
  copied: "Copiado",
  download: "Baixar",
  codesLeft: "Resta {n} código.|Restam {n} de códigos.|Restam {n} códigos.",
  renewCodes: "Criar novos códigos",
  renewHint: "Você recebe dez novos. Os que tem agora deixam de funcionar.",
  twoFactorOffHint: "Ao entrar, não se pede mais código.",
  beginAgain: "Começar de novo",

  // The end of an account.
  goodbye: "Excluir minha conta",
  ends: "São excluídos agora e para sempre: seu acesso, seu e-mail e seu nome, suas chaves de API e as formas de entrar vinculadas. Com o mesmo e-mail você pode criar uma conta nova.",
  stay: "Suas publicações e comentários ficam, com o nome “Conta excluída”. Se quiser remover algum, exclua-o antes em “Minhas publicações”.",
  votesStay: "Seus votos continuam contados, sem o seu nome.",
  withdraw: "Retirar também meus votos",
  copies:
    "Os backups guardam a conta por 35 dias. Os registros a citam por um número, sem nome nem e-mail, por 30 dias.",
  forGood: "Excluir minha conta para sempre",
  gone: "Sua conta foi excluída. O último backup que a contém será excluído em {date}.",
};
