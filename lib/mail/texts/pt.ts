import type { PageTexts, Texts } from "./en.ts";

// Portuguese as in Brazil, with "você", and the terms of portal/texts/pt.ts.

export const pt: Texts = {
  welcome: "Boas-vindas a {site}",
  welcomeText: "Sua conta em {site} está pronta. Só falta um passo: entre e confirme que este e-mail é seu.",
  verify: "Confirme seu e-mail",
  verifyText: "Entre e confirme que este e-mail é seu.",
  confirm: "Confirmar o e-mail",
  confirmEnd: "O link vale por duas horas e uma única vez. Se não foi você quem criou a conta, não faça nada.",

  reset: "Escolha uma nova senha",
  resetText: "Uma nova senha foi pedida para sua conta em {site}. Se foi você, escolha-a aqui.",
  resetEnd: "O link vale por duas horas e uma única vez. Se não foi você, não faça nada: sua senha continua a mesma.",

  invitation: "Você recebeu um convite para {site}",
  invitationText: "{inviter} convida você para {site}: com uma conta, você pode publicar, votar e comentar lá. {next}",
  invitationTeamText:
    "{inviter} convida você para a equipe de {site}: como moderador, você responde publicações, aprova o que espera e lê as notas da equipe. {next}",
  setPasswordHere: "Escolha sua senha aqui.",
  signInByLink: "Você entra por um link enviado a este e-mail.",
  invitationEnd: "O link vale por uma semana e uma única vez. Se você não quer a conta, não faça nada.",
  acceptInvitation: "Escolher minha senha",
  inviter: "{name}",
  inviterTeam: "A equipe",
  invitationByMailEnd: "Peça o link quando quiser entrar. Se você não quer a conta, não faça nada.",

  newAddress: "Confirme seu novo e-mail",
  newAddressText: "Entre e confirme que este é seu novo e-mail em {site}. Até lá, o antigo continua valendo.",
  newAddressEnd: "O link vale por duas horas e uma única vez. Se não foi você quem pediu, não faça nada.",

  addressAsked: "Foi pedida uma troca do seu e-mail",
  addressAskedText: "Sua conta em {site} terá outro e-mail assim que ele for confirmado.",
  addressAskedEnd: "Se não foi você, troque agora sua senha em “Esqueceu a senha?”: assim este e-mail é mantido.",

  addressChanged: "Seu e-mail mudou",
  addressChangedText: "Sua conta em {site} agora tem outro e-mail. Nenhuma mensagem chegará mais a este.",
  addressChangedEnd: "Se não foi você, escreva para a equipe de {site}.",

  newKey: "Uma nova chave de API",
  newKeyText:
    "A chave de API “{keyName}” foi criada para sua conta em {site}. Um programa que a tenha pode agir em seu nome.",
  openKeys: "Abrir as chaves de API",
  newKeyEnd:
    "Se não foi você, troque sua senha em “Esqueceu a senha?”: isso encerra todas as sessões e todas as chaves de API.",

  signIn: "Entrar",
  signInSubject: "Entrar em {site}",
  signInText: "Abra o link e toque no botão para entrar em {site}. Se escreveu algo lá, use o mesmo navegador.",
  orCode: "Ou digite este código onde você o pediu e continue lá",
  signInEnd:
    "Ambos valem por 15 minutos, e você só pode usar um deles, uma vez. Foram pedidos em {time} com {browser}. Se não foi você, não faça nada e não dê o código a ninguém.",
  unknownBrowser: "um navegador desconhecido",

  signedIn: "Você entrou de outro lugar",
  signedInText:
    "Um link ou código que enviamos a você abriu uma sessão em {site} em {time} com {browser}. Outro navegador ou outra rede o tinha pedido.",
  signedInEnd:
    "Se foi você, está tudo bem. Se não, defina uma nova senha: isso encerra todas as sessões e chaves de API.",
  signInLinked: "Uma forma de entrar foi vinculada à sua conta",
  signInLinkedText:
    "Em {time} uma forma de entrar foi vinculada à sua conta em {site}: {provider}. A partir de agora ela também abre sua conta.",
  signInLinkedEnd:
    "Se não foi você, defina uma nova senha: isso encerra todas as formas vinculadas, sessões e chaves de API.",
  ownProduct: "um link do produto",
  passwordChanged: "Sua senha foi alterada",
  passwordChangedText: "Em {time}, a senha da sua conta em {site} foi alterada. As outras sessões foram encerradas.",
  passwordSet: "Sua conta agora tem uma senha",
  passwordSetText: "Em {time}, foi definida uma senha para sua conta em {site}. As outras sessões foram encerradas.",
  twoFactorOn: "A entrada em duas etapas está ativada",
  twoFactorOnText: "A partir de agora, entrar em {site} também pede um código do seu aplicativo.",
  twoFactorOff: "A entrada em duas etapas está desativada",
  twoFactorOffText: "Entrar em {site} não pede mais um código. Você ou o proprietário do site desativou isso.",
  recoveryUsed: "Um código de recuperação foi usado",
  recoveryUsedText: "Alguém entrou na sua conta em {site} com um código de recuperação. Esse código não funciona mais.",
  recoveryRenewed: "Novos códigos de recuperação",
  recoveryRenewedText: "Sua conta em {site} tem dez novos códigos de recuperação. Os anteriores não funcionam mais.",
  twoFactorEnd:
    "Se não foi você, escolha agora uma nova senha: isso encerra todas as sessões e chaves de API. Depois avise a equipe do site.",

  siteGot: "Agora {site} é seu",
  siteGotText:
    "{site} passou para você em {time}. Como proprietário, você nomeia a equipe, muda as configurações e pode exportar o site inteiro.",
  openSite: "Abrir o site",
  siteGotEnd: "Se você não esperava por isso, escreva para a equipe do site.",
  siteGiven: "Você entregou {site}",
  siteGivenText:
    "Em {time} {site} passou a ter outro proprietário. Você agora é moderador, e suas chaves de API deixaram de funcionar.",
  siteGivenEnd:
    "Se não foi você quem entregou o site, defina agora uma nova senha e escreva para o novo proprietário e para quem opera o serviço.",
  accountDeleted: "Sua conta foi excluída",
  accountDeletedText:
    "Sua conta em {site} foi excluída em {time}. Ninguém mais consegue entrar com ela. Suas publicações e seus comentários ficam sem o seu nome, e seus votos continuam contados, se não foram retirados. Registros, contadores e backups ainda podem citar você; tudo isso terá sumido em {until}.",
  accountDeletedEnd:
    "Este é o último e-mail para este endereço. Você pode se cadastrar de novo com ele, como uma nova pessoa. Se não foi você quem excluiu a conta, escreva para a equipe de {site}.",

  exportReady: "Sua exportação está pronta",
  exportReadyText:
    "A exportação completa de {site} está pronta. Entre como proprietário e baixe-a em até uma hora: depois disso, ela é excluída.",
  openExport: "Baixar a exportação",
  exportReadyEnd:
    "Ela contém os endereços de todas as pessoas. Se não foi você quem a pediu, troque sua senha em “Esqueceu a senha?”: isso encerra todas as sessões e todas as chaves de API.",

  webhookDisabled: "Um webhook foi desativado",
  webhookDisabledText:
    "Um webhook de {site} foi desativado: seu destinatário não aceitou nenhuma mensagem em três dias ou não existe mais.",
  openWebhooks: "Abrir os webhooks",
  webhookDisabledEnd: "Ative-o de novo quando o destinatário funcionar: as mensagens em espera serão enviadas.",

  statusSubject: "{status}: {title}",
  statusText: "O status de “{title}” agora é {status}.",
  responseSubject: "Uma resposta para {title}",
  responseText: "A equipe respondeu a “{title}”.",
  commentSubject: "Um comentário em {title}",
  commentText: "{name} comentou em “{title}”.",
  replySubject: "Uma resposta em {title}",
  replyText: "{name} respondeu ao seu comentário em “{title}”.",
  restSubject: "Mais comentários em {title}",
  restText: "Depois do último e-mail chegaram mais comentários em “{title}”.",
  mergedSubject: "Unida a outra: {title}",
  mergedText:
    "“{title}” e “{into}” pedem a mesma coisa, por isso a equipe uniu as duas publicações. Tudo continua em “{into}”, onde agora contam todos os votos.",
  openPost: "Abrir a publicação",
  whyPost: "Você recebe este e-mail porque segue esta publicação: você a escreveu, votou nela ou escolheu segui-la.",
  whyReply: "Você recebe este e-mail porque escreveu o comentário.",
  leavePost: "Não receber mais e-mails sobre esta publicação",
  leaveAll: "Não receber mais e-mails sobre publicações",

  newPostSubject: "Uma nova publicação: {title}",
  newPostsSubject: "Novas publicações: {title} e outras",
  newPostsText: "Há novas publicações em {site}:",
  newPostsMore: "Há mais na lista de publicações.",
  openPosts: "Abrir as publicações",
  whyNewPosts:
    "Você recebe este e-mail porque é da equipe e escolheu receber e-mails sobre novas publicações, ou porque o site é seu.",
  leaveNewPosts: "Não receber mais e-mails sobre novas publicações",

  digestOneSubject: "Algo espera a sua decisão em {site}",
  digestSubject: "{n} itens esperam a sua decisão em {site}",
  digestManySubject: "Pelo menos {n} itens esperam a sua decisão em {site}",
  digestText: "Isto chegou desde o último e-mail deste tipo e espera pela equipe de {site}:",
  digestPost: "Publicação nova: {text}",
  digestComment: "Comentário novo: {text}",
  digestReportedPost: "Publicação denunciada: {text}",
  digestReportedComment: "Comentário denunciado: {text}",
  digestMore: "Há mais na página.",
  openQueue: "Ver o que espera",
  whyDigest: "Você recebe este e-mail, no máximo uma vez por hora, porque faz parte da equipe e o escolheu.",
  leaveDigest: "Não receber mais e-mails sobre o que espera",
};

export const ptPage: PageTexts = {
  unsubscribe: "Cancelar inscrição",
  askNewPosts: "Você recebe e-mails de {site} sobre novas publicações. Clique no botão para não os receber mais.",
  endedNewPosts: "Você não receberá mais e-mails de {site} sobre novas publicações. No seu perfil, pode reativá-los.",
  askDigest: "Você recebe e-mails de {site} sobre o que espera pela equipe. Clique no botão para não os receber mais.",
  endedDigest:
    "Você não receberá mais e-mails de {site} sobre o que espera pela equipe. No seu perfil, pode reativá-los.",
  quoted: "“{title}”",
  thePost: "a publicação daquele e-mail",
  askPost: "Você recebe e-mails de {site} sobre {post}. Clique no botão para não os receber mais.",
  askAll: "Você recebe e-mails de {site} sobre publicações. Clique no botão para não receber mais nenhum.",
  unsubscribed: "Inscrição cancelada",
  endedPost: "Você não receberá mais e-mails de {site} sobre {post}. Pode voltar a segui-la quando quiser.",
  openPost: "Abrir a publicação",
  chooseMails: "Escolher seus e-mails",
  endedAll: "Você não receberá mais e-mails de {site} sobre publicações. No seu perfil, pode reativá-los.",
  linkBroken: "Este link não está completo",
  linkBrokenText:
    "Nada mudou. Alguns programas de e-mail cortam ou alteram links longos: abra o link completo do e-mail, ou entre em {site} e escolha seus e-mails no perfil.",
};
