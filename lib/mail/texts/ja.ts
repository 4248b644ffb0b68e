import type { PageTexts, Texts } from "./en.ts";

// Japanese, polite, with the terms of portal/texts/ja.ts.

export const ja: Texts = {
  welcome: "{site}へようこそ",
  welcomeText:
    "{site}のアカウントができました。あとひとつだけお願いします。ログインして、このメールアドレスがご本人のものであることを確認してください。",
  verify: "メールアドレスの確認",
  verifyText: "ログインして、このメールアドレスがご本人のものであることを確認してください。",
  confirm: "メールアドレスを確認",
  confirmEnd: "リンクは2時間有効で、一度だけ使えます。登録した覚えがない場合は、何もする必要はありません。",

  reset: "新しいパスワードの設定",
  resetText:
    "{site}のアカウントについて、新しいパスワードの依頼がありました。ご本人による依頼の場合は、こちらで設定してください。",
  resetEnd:
    "リンクは2時間有効で、一度だけ使えます。心当たりがない場合は、何もする必要はありません。パスワードは変わりません。",

  invitation: "{site}への招待",
  invitationText: "{inviter}が、あなたを{site}に招待しています。アカウントで、投稿、投票、コメントができます。{next}",
  invitationTeamText:
    "{inviter}が、あなたを{site}のチームに招待しています。モデレーターとして、投稿への回答、待っているものの承認、チームのメモの閲覧ができます。{next}",
  setPasswordHere: "こちらでパスワードを設定してください。",
  signInByLink: "このメールアドレスに届くリンクでログインします。",
  invitationEnd: "リンクは1週間有効で、一度だけ使えます。アカウントが不要な場合は、何もする必要はありません。",
  acceptInvitation: "パスワードを設定する",
  inviter: "{name}さん",
  inviterTeam: "チーム",
  invitationByMailEnd:
    "ログインしたいときにリンクを申し込んでください。アカウントが不要な場合は、何もする必要はありません。",

  newAddress: "新しいメールアドレスの確認",
  newAddressText:
    "ログインして、これが{site}での新しいメールアドレスであることを確認してください。それまでは以前のアドレスが有効です。",
  newAddressEnd: "リンクは2時間有効で、一度だけ使えます。心当たりがない場合は、何もする必要はありません。",

  addressAsked: "メールアドレスの変更依頼がありました",
  addressAskedText: "{site}のアカウントのメールアドレスは、新しいアドレスが確認されると変更されます。",
  addressAskedEnd:
    "心当たりがない場合は、すぐに「パスワードをお忘れですか？」から新しいパスワードを設定してください。今のアドレスがそのまま残ります。",

  addressChanged: "メールアドレスが変更されました",
  addressChangedText: "{site}のアカウントのメールアドレスが変更されました。このアドレスにはもうメールが届きません。",
  addressChangedEnd: "心当たりがない場合は、{site}のチームにご連絡ください。",

  newKey: "新しいAPIキー",
  newKeyText:
    "{site}のアカウントにAPIキー「{keyName}」が作成されました。このキーを持つプログラムは、あなたとして操作できます。",
  openKeys: "APIキーを開く",
  newKeyEnd:
    "心当たりがない場合は、「パスワードをお忘れですか？」から新しいパスワードを設定してください。すべてのログインとAPIキーが無効になります。",

  signIn: "ログイン",
  signInSubject: "{site}へのログイン",
  signInText:
    "リンクを開き、ボタンを押すと{site}にログインできます。文章を入力していた場合は、同じブラウザーで開いてください。",
  orCode: "または、申し込んだ画面でこのコードを入力してください。そこで操作を続けられます",
  signInEnd:
    "どちらも15分間有効で、いずれか一方を一度だけ使えます。{time}に{browser}から申し込まれました。心当たりがなければ何もせず、コードを誰にも教えないでください。",
  unknownBrowser: "不明なブラウザー",

  signedIn: "別の場所からログインがありました",
  signedInText:
    "お送りしたリンクまたはコードで、{time}に{browser}から{site}へのログインがありました。申し込みは別のブラウザーまたは別のネットワークからでした。",
  signedInEnd:
    "ご本人であれば問題ありません。心当たりがなければ新しいパスワードを設定してください。すべてのログインとAPIキーが無効になります。",
  signInLinked: "アカウントにログイン方法が連携されました",
  signInLinkedText:
    "{time}に、{site}のあなたのアカウントにログイン方法（{provider}）が連携されました。今後はこの方法でもログインできます。",
  signInLinkedEnd:
    "心当たりがなければ新しいパスワードを設定してください。連携したログイン方法、すべてのログイン、APIキーが無効になります。",
  ownProduct: "製品内のリンク",
  passwordChanged: "パスワードが変更されました",
  passwordChangedText: "{time}に、{site}のアカウントのパスワードが変更されました。ほかのログインは終了しました。",
  passwordSet: "パスワードが設定されました",
  passwordSetText: "{time}に、{site}のアカウントにパスワードが設定されました。ほかのログインは終了しました。",
  twoFactorOn: "2段階ログインが有効になりました",
  twoFactorOnText: "これからは、{site}へのログインでアプリのコードも必要になります。",
  twoFactorOff: "2段階ログインが無効になりました",
  twoFactorOffText: "{site}へのログインでコードが不要になりました。あなたかサイトのオーナーが無効にしました。",
  recoveryUsed: "リカバリーコードが使われました",
  recoveryUsedText:
    "リカバリーコードを使って、{site}のあなたのアカウントにログインがありました。このコードはもう使えません。",
  recoveryRenewed: "新しいリカバリーコード",
  recoveryRenewedText: "{site}のアカウントに、新しいリカバリーコードが10個作られました。以前のコードは使えません。",
  twoFactorEnd:
    "心当たりがない場合は、すぐに新しいパスワードを設定してください。すべてのセッションとAPIキーが終了します。そのうえで、サイトのチームに知らせてください。",

  siteGot: "{site}のオーナーになりました",
  siteGotText:
    "{time}に{site}があなたに引き継がれました。オーナーはチームを任命し、設定を変更し、サイト全体をエクスポートできます。",
  openSite: "サイトを開く",
  siteGotEnd: "心当たりがない場合は、サイトのチームにご連絡ください。",
  siteGiven: "{site}のオーナーを譲渡しました",
  siteGivenText: "{time}に{site}のオーナーが変わりました。あなたはモデレーターになり、APIキーは使えなくなりました。",
  siteGivenEnd:
    "ご自身で譲渡したのでない場合は、すぐに新しいパスワードを設定し、新しいオーナーとサービスの運営者にご連絡ください。",
  accountDeleted: "アカウントが削除されました",
  accountDeletedText:
    "{site}のアカウントは{time}に削除されました。もう誰もこのアカウントでログインできません。投稿とコメントは名前なしで残り、取り消されていない投票は数に残ります。ログ、カウンター、バックアップにはまだお名前が残ることがありますが、{until}までにすべて消えます。",
  accountDeletedEnd:
    "このアドレスへの最後のメールです。同じアドレスで、新しい利用者として登録し直せます。ご自身で削除したのでない場合は、{site}のチームにご連絡ください。",

  exportReady: "エクスポートの準備ができました",
  exportReadyText:
    "{site}全体のエクスポートができました。1時間以内に、オーナーとしてログインしてダウンロードしてください。1時間後に削除されます。",
  openExport: "エクスポートをダウンロード",
  exportReadyEnd:
    "すべての人のメールアドレスが含まれています。心当たりがない場合は、「パスワードをお忘れですか？」から新しいパスワードを設定してください。すべてのログインとAPIキーが無効になります。",

  webhookDisabled: "Webhookが停止しました",
  webhookDisabledText:
    "{site}のWebhookが停止しました。受信側が3日間メッセージを受け取らなかったか、すでに存在しないためです。",
  openWebhooks: "Webhookを開く",
  webhookDisabledEnd: "受信側が復旧したら、もう一度有効にしてください。待機中のメッセージが送信されます。",

  statusSubject: "{status}：{title}",
  statusText: "「{title}」のステータスが「{status}」になりました。",
  responseSubject: "{title}への回答",
  responseText: "チームが「{title}」に回答しました。",
  commentSubject: "{title}へのコメント",
  commentText: "{name}さんが「{title}」にコメントしました。",
  replySubject: "{title}での返信",
  replyText: "{name}さんが「{title}」へのあなたのコメントに返信しました。",
  restSubject: "{title}へのその他のコメント",
  restText: "前回のメールのあと、「{title}」にさらにコメントがありました。",
  mergedSubject: "統合されました：{title}",
  mergedText:
    "「{title}」と「{into}」は同じ内容の要望のため、チームが統合しました。今後は「{into}」に続き、すべての票がそこで数えられます。",
  openPost: "投稿を開く",
  whyPost:
    "このメールは、この投稿をフォローしている方にお送りしています。投稿したか、投票したか、フォローを選んだためです。",
  whyReply: "このメールは、コメントを書いた方にお送りしています。",
  leavePost: "この投稿についてのメールを停止",
  leaveAll: "投稿についてのメールをすべて停止",

  newPostSubject: "新しい投稿：{title}",
  newPostsSubject: "新しい投稿：{title} ほか",
  newPostsText: "{site}に新しい投稿がありました。",
  newPostsMore: "続きは投稿のページでご覧ください。",
  openPosts: "投稿を開く",
  whyNewPosts: "このメールは、新しい投稿のメールを選んだチームの方、またはサイトのオーナーにお送りしています。",
  leaveNewPosts: "新しい投稿についてのメールを停止",

  digestOneSubject: "{site}で1件が判断を待っています",
  digestSubject: "{site}で{n}件が判断を待っています",
  digestManySubject: "{site}で{n}件以上が判断を待っています",
  digestText: "前回のお知らせのあとに届き、{site}のチームの判断を待っているものです。",
  digestPost: "新しい投稿：{text}",
  digestComment: "新しいコメント：{text}",
  digestReportedPost: "報告された投稿：{text}",
  digestReportedComment: "報告されたコメント：{text}",
  digestMore: "続きはページでご覧ください。",
  openQueue: "承認待ちを見る",
  whyDigest: "このメールは、承認待ちのお知らせを選んだチームの方に、多くても1時間に1回お送りしています。",
  leaveDigest: "承認待ちについてのメールを停止",
};

export const jaPage: PageTexts = {
  unsubscribe: "配信停止",
  askNewPosts: "{site}から、新しい投稿についてのメールをお送りしています。ボタンを押すと停止します。",
  endedNewPosts: "{site}から、新しい投稿についてのメールは届かなくなりました。プロフィールでいつでも再開できます。",
  askDigest: "{site}から、承認待ちについてのメールをお送りしています。ボタンを押すと停止します。",
  endedDigest: "{site}から、承認待ちについてのメールは届かなくなりました。プロフィールでいつでも再開できます。",
  quoted: "「{title}」",
  thePost: "そのメールの投稿",
  askPost: "{site}から、{post}についてのメールをお送りしています。ボタンを押すと停止します。",
  askAll: "{site}から、投稿についてのメールをお送りしています。ボタンを押すとすべて停止します。",
  unsubscribed: "配信を停止しました",
  endedPost: "{site}から、{post}についてのメールは届かなくなりました。いつでもまたフォローできます。",
  openPost: "投稿を開く",
  chooseMails: "届くメールを選ぶ",
  endedAll: "{site}から、投稿についてのメールは届かなくなりました。プロフィールでいつでも再開できます。",
  linkBroken: "リンクが途切れています",
  linkBrokenText:
    "何も変更されていません。メールソフトによっては、長いリンクが途切れたり変わったりすることがあります。メールのリンク全体を開くか、{site}にログインしてプロフィールでメールを選んでください。",
};
