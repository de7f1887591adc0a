/** One language of the call. */
interface CallInLanguage {
  readonly lines: readonly string[];
  /** Place that the fourth line names. */
  readonly place: string;
  /** Sentence before the terms of a vocabulary. */
  readonly names: string;
  readonly summary: readonly [string, string];
}

/** A call to a harbour office, line by line the same in each language, so that it can be translated into each other. */
export const harbourCall: ReadonlyMap<string, CallInLanguage> = new Map<string, CallInLanguage>([
  [
    'en',
    {
      lines: [
        'Thanks for calling, you are through to the harbour office. How can I help?',
        'My parcel says it was delivered, but there is nothing at the gate.',
        'Let me have a look. It was handed over at the north quay this morning.',
        'That is the wrong quay. We moved to the old fish market in spring.',
        'I see, the change never reached the carrier. I will send it on today.',
        'Today would be wonderful. The lamp parts in it cannot wait.',
        'You will get a message as soon as the van leaves.',
        'Perfect. And please correct the address while you are at it.',
      ],
      place: 'old fish market',
      names: 'These are the names on the label: {0}.',
      summary: ['A parcel with lamp parts went to the old address.', 'It is sent on the same day.'],
    },
  ],
  [
    'fr',
    {
      lines: [
        'Merci de votre appel, vous êtes bien à la capitainerie. Que puis-je faire pour vous ?',
        'Mon colis est indiqué comme livré, mais il n’y a rien devant le portail.',
        'Je regarde. Il a été remis ce matin au quai nord.',
        'Ce n’est pas le bon quai. Nous avons déménagé à l’ancienne criée au printemps.',
        'Je vois, le changement n’est jamais arrivé au transporteur. Je le fais suivre aujourd’hui.',
        'Aujourd’hui, ce serait parfait. Les pièces de la lampe ne peuvent pas attendre.',
        'Vous recevrez un message dès le départ de la camionnette.',
        'Très bien. Et corrigez l’adresse par la même occasion, s’il vous plaît.',
      ],
      place: 'ancienne criée',
      names: 'Voici les noms sur l’étiquette : {0}.',
      summary: [
        'Un colis avec les pièces d’une lampe est parti à l’ancienne adresse.',
        'Il est réexpédié le jour même.',
      ],
    },
  ],
  [
    'de',
    {
      lines: [
        'Danke für Ihren Anruf, hier ist das Hafenamt. Was kann ich für Sie tun?',
        'Mein Paket gilt als zugestellt, aber am Tor liegt nichts.',
        'Ich sehe nach. Es wurde heute Morgen am Nordkai abgegeben.',
        'Das ist der falsche Kai. Wir sind im Frühjahr in die alte Fischhalle gezogen.',
        'Ich verstehe, die Änderung kam nie beim Zusteller an. Ich leite es heute weiter.',
        'Heute wäre wunderbar. Die Teile für die Lampe können nicht warten.',
        'Sie bekommen eine Nachricht, sobald der Wagen losfährt.',
        'Bestens. Und berichtigen Sie bitte gleich die Adresse.',
      ],
      place: 'alte Fischhalle',
      names: 'Diese Namen stehen auf dem Etikett: {0}.',
      summary: [
        'Ein Paket mit Teilen für eine Lampe ging an die alte Adresse.',
        'Es wird am selben Tag weitergeleitet.',
      ],
    },
  ],
  [
    'es',
    {
      lines: [
        'Gracias por llamar, está usted en la oficina del puerto. ¿En qué puedo ayudarle?',
        'Mi paquete figura como entregado, pero en la puerta no hay nada.',
        'Déjeme ver. Lo entregaron esta mañana en el muelle norte.',
        'Ese no es el muelle. En primavera nos mudamos a la antigua lonja.',
        'Ya veo, el cambio nunca llegó al transportista. Lo reenvío hoy mismo.',
        'Hoy sería estupendo. Las piezas de la lámpara no pueden esperar.',
        'Recibirá un mensaje en cuanto salga la furgoneta.',
        'Perfecto. Y, ya que está, corrija la dirección, por favor.',
      ],
      place: 'antigua lonja',
      names: 'Estos son los nombres de la etiqueta: {0}.',
      summary: ['Un paquete con piezas de una lámpara fue a la dirección antigua.', 'Se reenvía el mismo día.'],
    },
  ],
  [
    'ja',
    {
      lines: [
        'お電話ありがとうございます、港湾事務所です。ご用件をどうぞ。',
        '荷物が配達済みになっていますが、門のところに何もありません。',
        'お調べします。今朝、北埠頭で引き渡されています。',
        'それは違う埠頭です。春に旧魚市場へ移りました。',
        '住所の変更が運送会社に届いていなかったようです。今日転送いたします。',
        '今日なら助かります。中のランプの部品が急ぎなのです。',
        '車が出ましたらすぐにお知らせします。',
        'お願いします。ついでに住所も直しておいてください。',
      ],
      place: '旧魚市場',
      names: 'ラベルにある名前は次のとおりです：{0}。',
      summary: ['ランプの部品が入った荷物が古い住所に届いた。', '同じ日に転送される。'],
    },
  ],
]);
