import { sayPinyin } from "./pinyin.ts";

/**
 * The first character of each Mandarin syllable in the Chinese sort order by sound. A character is read like the last
 * entry that does not come after it. Each character has one reading here, which is right for 98 of 100.
 */
const FIRSTS = [
  "a吖 ai哎 an安 ang肮 ao凹 ba八 bai掰 ban扳 bang邦 bao勹 bei卑 ben奔 beng崩 bi逼 bian边 biao标 bie憋 bin玢 bing冫",
  "bo拨 bu逋 ca擦 cai猜 can参 cang仓 cao操 ce册 cen岑 ceng噌 cha叉 chai拆 chan觇 chang伥 chao抄 che车 chen抻",
  "cheng柽 chi吃 chong充 chou抽 chu出 chuai揣 chuan巛 chuang疮 chui吹 chun春 chuo踔 ci呲 cong匆 cou凑 cu粗",
  "cuan汆 cui崔 cun村 cuo搓 da哒 dai呆 dan丹 dang当 dao刀 de得 deng灯 di氐 dia嗲 dian掂 diao刁 die爹 ding丁 diu丢",
  "dong东 dou都 du嘟 duan端 dui堆 dun吨 duo多 e婀 ei诶 en恩 er儿 fa发 fan帆 fang匚 fei飞 fen分 feng丰 fou缶 fu夫",
  "ga旮 gai该 gan甘 gang冈 gao皋 ge戈 gei给 gen根 geng庚 gong工 gou勾 gu估 gua瓜 guai乖 guan关 guang光 gui归",
  "gun丨 guo呙 ha哈 hai咳 han顸 hang夯 hao蒿 he诃 hei黑 hen痕 heng亨 hong轰 hou侯 hu乎 hua花 huai怀 huan欢",
  "huang肓 hui灰 hun昏 huo耠 ji讥 jia加 jian戋 jiang江 jiao艽 jie阶 jin巾 jing京 jiong冂 jiu纠 ju居 juan娟 jue噘",
  "jun军 ka咔 kai开 kan刊 kang康 kao尻 ke苛 ken肯 keng吭 kong空 kou抠 ku刳 kua夸 kuai蒯 kuan宽 kuang匡 kui亏",
  "kun坤 kuo扩 la垃 lai来 lan兰 lang啷 lao捞 le仂 lei雷 leng塄 li哩 lia俩 lian奁 liang良 liao撩 lie咧 lin拎",
  "ling伶 liu溜 long龙 lou娄 lu噜 lv驴 luan娈 lun抡 luo罗 ma妈 mai埋 man颟 mang邙 mao猫 me么 mei没 men门 meng虻",
  "mi咪 mian宀 miao喵 mie咩 min民 ming名 miu谬 mo摸 mou哞 mu毪 na拿 nai乃 nan囡 nang囔 nao孬 ne疒 nei馁 nen恁",
  "neng能 ng嗯 ni妮 nian拈 niang娘 niao鸟 nie捏 nin您 ning宁 niu妞 nong农 nou耨 nu奴 nv女 nve疟 nuo挪 o噢 ou讴",
  "pa趴 pai拍 pan潘 pang乓 pao抛 pei呸 pen喷 peng怦 pi丕 pian偏 piao剽 pie氕 pin姘 ping乒 po钋 pou剖 pu仆 qi七",
  "qia掐 qian千 qiang呛 qiao悄 qie且 qin亲 qing青 qiong邛 qiu丘 qu区 quan悛 que炔 qun逡 ran蚺 rang禳 rao娆 re惹",
  "ren人 reng扔 ri日 rong戎 rou柔 ru如 ruan阮 rui蕤 run闰 ruo若 sa仨 sai塞 san三 sang桑 sao搔 se色 sen森 seng僧",
  "sha杀 shai筛 shan山 shang伤 shao捎 she奢 shen申 sheng升 shi尸 shou收 shu书 shua刷 shuai衰 shuan闩 shuang双",
  "shui水 shun吮 shuo说 si厶 song忪 sou嗖 su苏 suan狻 sui虽 sun孙 suo唆 ta他 tai胎 tan坍 tang汤 tao涛 te忑 teng疼",
  "ti剔 tian天 tiao佻 tie帖 ting厅 tong通 tou偷 tu凸 tuan湍 tui推 tun吞 tuo乇 wa挖 wai歪 wan弯 wang尢 wei危 wen温",
  "weng翁 wo挝 wu乌 xi夕 xia呷 xian仙 xiang乡 xiao枭 xie些 xin心 xing星 xiong凶 xiu休 xu吁 xuan轩 xue靴 xun勋",
  "ya丫 yan恹 yang央 yao幺 ye掖 yi一 yin因 ying应 yo哟 yong佣 you优 yu纡 yuan鸢 yue曰 yun晕 za匝 zai灾 zan糌",
  "zang赃 zao遭 ze则 zei贼 zen怎 zeng增 zha扎 zhai斋 zhan沾 zhang张 zhao钊 zhe蜇 zhen贞 zheng争 zhi之 zhong中",
  "zhou州 zhu朱 zhua抓 zhuai拽 zhuan专 zhuang妆 zhui隹 zhun肫 zhuo拙 zi孜 zong宗 zou邹 zu租 zuan钻 zui嘴 zun尊",
  "zuo嘬",
].flatMap((line) => line.split(" "));

const SYLLABLES = FIRSTS.map((pair) => ({ sound: pair.slice(0, -1), first: pair.slice(-1) }));

let collator: Intl.Collator | undefined;

export function sayHan(word: string): string {
  return [...word].map((character) => sayPinyin(syllableOf(character))).join(" ");
}

function syllableOf(character: string): string {
  collator ??= new Intl.Collator("zh-Hans-u-co-pinyin");
  let low = 0;
  let high = SYLLABLES.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (collator.compare(SYLLABLES[middle]?.first ?? "", character) <= 0) low = middle;
    else high = middle - 1;
  }
  return SYLLABLES[low]?.sound ?? "";
}
