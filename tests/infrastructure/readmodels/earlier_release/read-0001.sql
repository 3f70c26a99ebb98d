BEGIN TRANSACTION;
CREATE TABLE fairdeal_games (
	id CHAR(32) NOT NULL, 
	opened BIGINT NOT NULL, 
	kind VARCHAR(100) NOT NULL, 
	opener VARCHAR(200) NOT NULL, 
	options JSON NOT NULL, 
	commitment VARCHAR(64) NOT NULL, 
	seed VARCHAR(64), 
	opening VARCHAR(20), 
	rated BOOLEAN NOT NULL, 
	players JSON NOT NULL, 
	free_seats INTEGER NOT NULL, 
	phase VARCHAR(20) NOT NULL, 
	turn JSON NOT NULL, 
	winners JSON NOT NULL, 
	scores JSON NOT NULL, 
	reason VARCHAR(200), 
	moves INTEGER NOT NULL, 
	opened_at DATETIME NOT NULL, 
	started_at DATETIME, 
	ended_at DATETIME, 
	last_at DATETIME NOT NULL, 
	version INTEGER NOT NULL, 
	link VARCHAR(64) NOT NULL, 
	position BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (opened)
);
INSERT INTO "fairdeal_games" VALUES('053cf9acaacd58a79c18eaf0ec37c180',1,'kings_corners','ann','{}','9b14944c24c6731fb26bc9753a37e9ec0f4aafb40d7aa04ff65355523f32c3ac','66d7071b6f349de0969eece4f3682b0219ab78176c548f9498aa4c008dc55aad','shuffle',1,'["ann", "bob"]',0,'finished','[]','["bob"]','[]','won',71,'2026-01-01 00:00:01.000000','2026-01-01 00:00:01.000000','2026-01-01 00:01:12.000000','2026-01-01 00:01:12.000000',102,'fba2378117ba2865c002149bbbde5c5917f6dc7e6c0b46cc3548fc9ed4bd1d21',102);
INSERT INTO "fairdeal_games" VALUES('f5c6efa6357b573f9644628a489d20fa',103,'kings_corners','ann','{}','8a7accd5dd89032a75c5baa9f83a220c8611f99c474151662011f8b729b35036','2f7e1e96958a455353252cf9b3139216947eeec97813fc2c541b278c22649521','shuffle',1,'["ann", "bob", "cleo"]',0,'finished','[]','["bob"]','[]','won',29,'2026-01-01 00:01:13.000000','2026-01-01 00:01:13.000000','2026-01-01 00:01:42.000000','2026-01-01 00:01:42.000000',43,'a506fee1730103949e855d43da314a0bcfa972547ed075a1de860500c77d0101',145);
INSERT INTO "fairdeal_games" VALUES('88a9bf56d2b85088a2fbf5c0aaeac5bf',146,'kings_corners','bob','{}','7d6712c8610b20f4d9d9ee7c70836852b8d894aac9f10765db7ef06ef8ca4bc8','fec885958e0a2c63cccc7eba74f10224600d1ecaafede8bb7426022d9f12362f','shuffle',1,'["bob", "ann"]',0,'abandoned','[]','["bob"]','[]','left',3,'2026-01-01 00:01:43.000000','2026-01-01 00:01:43.000000','2026-01-01 00:01:47.000000','2026-01-01 00:01:47.000000',9,'a3deb6f5838ee695c30cbc80af5ea222accc9d063a42b9f5da0bc7ed1cea8ffe',154);
CREATE TABLE fairdeal_positions (
	projection VARCHAR(100) NOT NULL, 
	version INTEGER NOT NULL, 
	position BIGINT NOT NULL, 
	PRIMARY KEY (projection)
);
INSERT INTO "fairdeal_positions" VALUES('games',1,154);
INSERT INTO "fairdeal_positions" VALUES('timeline',1,154);
CREATE TABLE fairdeal_schema (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT fairdeal_schema_pkc PRIMARY KEY (version_num)
);
INSERT INTO "fairdeal_schema" VALUES('0001');
CREATE TABLE fairdeal_seats (
	game_id CHAR(32) NOT NULL, 
	seat INTEGER NOT NULL, 
	player VARCHAR(200) NOT NULL, 
	kind VARCHAR(100) NOT NULL, 
	opened BIGINT NOT NULL, 
	result VARCHAR(20), 
	PRIMARY KEY (game_id, seat)
);
INSERT INTO "fairdeal_seats" VALUES('053cf9acaacd58a79c18eaf0ec37c180',0,'ann','kings_corners',1,'lost');
INSERT INTO "fairdeal_seats" VALUES('053cf9acaacd58a79c18eaf0ec37c180',1,'bob','kings_corners',1,'won');
INSERT INTO "fairdeal_seats" VALUES('f5c6efa6357b573f9644628a489d20fa',0,'ann','kings_corners',103,'lost');
INSERT INTO "fairdeal_seats" VALUES('f5c6efa6357b573f9644628a489d20fa',1,'bob','kings_corners',103,'won');
INSERT INTO "fairdeal_seats" VALUES('f5c6efa6357b573f9644628a489d20fa',2,'cleo','kings_corners',103,'lost');
INSERT INTO "fairdeal_seats" VALUES('88a9bf56d2b85088a2fbf5c0aaeac5bf',0,'bob','kings_corners',146,'won');
INSERT INTO "fairdeal_seats" VALUES('88a9bf56d2b85088a2fbf5c0aaeac5bf',1,'ann','kings_corners',146,'left');
CREATE TABLE fairdeal_timeline (
	position INTEGER NOT NULL, 
	game_id CHAR(32) NOT NULL, 
	version INTEGER NOT NULL, 
	kind VARCHAR(100) NOT NULL, 
	event VARCHAR(100) NOT NULL, 
	at DATETIME NOT NULL, 
	"by" VARCHAR(200) NOT NULL, 
	player VARCHAR(200) NOT NULL, 
	line TEXT NOT NULL, 
	PRIMARY KEY (position)
);
INSERT INTO "fairdeal_timeline" VALUES(1,'053cf9acaacd58a79c18eaf0ec37c180',1,'kings_corners','game_opened','2026-01-01 00:00:01.000000','ann','ann','ann opens the table.');
INSERT INTO "fairdeal_timeline" VALUES(2,'053cf9acaacd58a79c18eaf0ec37c180',2,'kings_corners','player_seated','2026-01-01 00:00:01.000000','ann','ann','ann sits down.');
INSERT INTO "fairdeal_timeline" VALUES(3,'053cf9acaacd58a79c18eaf0ec37c180',3,'kings_corners','player_seated','2026-01-01 00:00:01.000000','ann','bob','bob sits down.');
INSERT INTO "fairdeal_timeline" VALUES(4,'053cf9acaacd58a79c18eaf0ec37c180',4,'kings_corners','game_started','2026-01-01 00:00:01.000000','ann','ann','The game starts (shuffle).');
INSERT INTO "fairdeal_timeline" VALUES(5,'053cf9acaacd58a79c18eaf0ec37c180',5,'kings_corners','cards_dealt','2026-01-01 00:00:01.000000','ann','ann','Seven cards each are dealt, and one onto each foundation.');
INSERT INTO "fairdeal_timeline" VALUES(6,'053cf9acaacd58a79c18eaf0ec37c180',6,'kings_corners','card_played','2026-01-01 00:00:02.000000','ann','ann','ann plays 6C on E.');
INSERT INTO "fairdeal_timeline" VALUES(7,'053cf9acaacd58a79c18eaf0ec37c180',7,'kings_corners','card_drawn','2026-01-01 00:00:03.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(8,'053cf9acaacd58a79c18eaf0ec37c180',8,'kings_corners','turn_passed','2026-01-01 00:00:03.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(9,'053cf9acaacd58a79c18eaf0ec37c180',9,'kings_corners','card_played','2026-01-01 00:00:04.000000','bob','bob','bob plays KS on NE.');
INSERT INTO "fairdeal_timeline" VALUES(10,'053cf9acaacd58a79c18eaf0ec37c180',10,'kings_corners','pile_moved','2026-01-01 00:00:05.000000','bob','bob','bob moves W (QD) onto NE.');
INSERT INTO "fairdeal_timeline" VALUES(11,'053cf9acaacd58a79c18eaf0ec37c180',11,'kings_corners','card_played','2026-01-01 00:00:06.000000','bob','bob','bob plays 2C on N.');
INSERT INTO "fairdeal_timeline" VALUES(12,'053cf9acaacd58a79c18eaf0ec37c180',12,'kings_corners','card_played','2026-01-01 00:00:07.000000','bob','bob','bob plays 10C on W.');
INSERT INTO "fairdeal_timeline" VALUES(13,'053cf9acaacd58a79c18eaf0ec37c180',13,'kings_corners','card_drawn','2026-01-01 00:00:08.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(14,'053cf9acaacd58a79c18eaf0ec37c180',14,'kings_corners','turn_passed','2026-01-01 00:00:08.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(15,'053cf9acaacd58a79c18eaf0ec37c180',15,'kings_corners','card_played','2026-01-01 00:00:09.000000','ann','ann','ann plays KC on SE.');
INSERT INTO "fairdeal_timeline" VALUES(16,'053cf9acaacd58a79c18eaf0ec37c180',16,'kings_corners','pile_moved','2026-01-01 00:00:10.000000','ann','ann','ann moves S (QH) onto SE.');
INSERT INTO "fairdeal_timeline" VALUES(17,'053cf9acaacd58a79c18eaf0ec37c180',17,'kings_corners','card_played','2026-01-01 00:00:11.000000','ann','ann','ann plays AD on N.');
INSERT INTO "fairdeal_timeline" VALUES(18,'053cf9acaacd58a79c18eaf0ec37c180',18,'kings_corners','card_played','2026-01-01 00:00:12.000000','ann','ann','ann plays QC on S.');
INSERT INTO "fairdeal_timeline" VALUES(19,'053cf9acaacd58a79c18eaf0ec37c180',19,'kings_corners','card_drawn','2026-01-01 00:00:13.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(20,'053cf9acaacd58a79c18eaf0ec37c180',20,'kings_corners','turn_passed','2026-01-01 00:00:13.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(21,'053cf9acaacd58a79c18eaf0ec37c180',21,'kings_corners','card_played','2026-01-01 00:00:14.000000','bob','bob','bob plays KH on SW.');
INSERT INTO "fairdeal_timeline" VALUES(22,'053cf9acaacd58a79c18eaf0ec37c180',22,'kings_corners','pile_moved','2026-01-01 00:00:15.000000','bob','bob','bob moves S (QC) onto SW.');
INSERT INTO "fairdeal_timeline" VALUES(23,'053cf9acaacd58a79c18eaf0ec37c180',23,'kings_corners','card_played','2026-01-01 00:00:16.000000','bob','bob','bob plays 8D on S.');
INSERT INTO "fairdeal_timeline" VALUES(24,'053cf9acaacd58a79c18eaf0ec37c180',24,'kings_corners','card_drawn','2026-01-01 00:00:17.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(25,'053cf9acaacd58a79c18eaf0ec37c180',25,'kings_corners','turn_passed','2026-01-01 00:00:17.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(26,'053cf9acaacd58a79c18eaf0ec37c180',26,'kings_corners','card_played','2026-01-01 00:00:18.000000','ann','ann','ann plays 7C on S.');
INSERT INTO "fairdeal_timeline" VALUES(27,'053cf9acaacd58a79c18eaf0ec37c180',27,'kings_corners','card_drawn','2026-01-01 00:00:19.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(28,'053cf9acaacd58a79c18eaf0ec37c180',28,'kings_corners','turn_passed','2026-01-01 00:00:19.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(29,'053cf9acaacd58a79c18eaf0ec37c180',29,'kings_corners','card_drawn','2026-01-01 00:00:20.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(30,'053cf9acaacd58a79c18eaf0ec37c180',30,'kings_corners','turn_passed','2026-01-01 00:00:20.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(31,'053cf9acaacd58a79c18eaf0ec37c180',31,'kings_corners','card_played','2026-01-01 00:00:21.000000','ann','ann','ann plays JH on SW.');
INSERT INTO "fairdeal_timeline" VALUES(32,'053cf9acaacd58a79c18eaf0ec37c180',32,'kings_corners','pile_moved','2026-01-01 00:00:22.000000','ann','ann','ann moves W (10C) onto SW.');
INSERT INTO "fairdeal_timeline" VALUES(33,'053cf9acaacd58a79c18eaf0ec37c180',33,'kings_corners','card_played','2026-01-01 00:00:23.000000','ann','ann','ann plays 9S on W.');
INSERT INTO "fairdeal_timeline" VALUES(34,'053cf9acaacd58a79c18eaf0ec37c180',34,'kings_corners','pile_moved','2026-01-01 00:00:24.000000','ann','ann','ann moves S (8D 7C) onto W.');
INSERT INTO "fairdeal_timeline" VALUES(35,'053cf9acaacd58a79c18eaf0ec37c180',35,'kings_corners','card_played','2026-01-01 00:00:25.000000','ann','ann','ann plays 9C on S.');
INSERT INTO "fairdeal_timeline" VALUES(36,'053cf9acaacd58a79c18eaf0ec37c180',36,'kings_corners','card_drawn','2026-01-01 00:00:26.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(37,'053cf9acaacd58a79c18eaf0ec37c180',37,'kings_corners','turn_passed','2026-01-01 00:00:26.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(38,'053cf9acaacd58a79c18eaf0ec37c180',38,'kings_corners','card_drawn','2026-01-01 00:00:27.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(39,'053cf9acaacd58a79c18eaf0ec37c180',39,'kings_corners','turn_passed','2026-01-01 00:00:27.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(40,'053cf9acaacd58a79c18eaf0ec37c180',40,'kings_corners','card_drawn','2026-01-01 00:00:28.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(41,'053cf9acaacd58a79c18eaf0ec37c180',41,'kings_corners','turn_passed','2026-01-01 00:00:28.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(42,'053cf9acaacd58a79c18eaf0ec37c180',42,'kings_corners','card_drawn','2026-01-01 00:00:29.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(43,'053cf9acaacd58a79c18eaf0ec37c180',43,'kings_corners','turn_passed','2026-01-01 00:00:29.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(44,'053cf9acaacd58a79c18eaf0ec37c180',44,'kings_corners','card_played','2026-01-01 00:00:30.000000','ann','ann','ann plays 6H on W.');
INSERT INTO "fairdeal_timeline" VALUES(45,'053cf9acaacd58a79c18eaf0ec37c180',45,'kings_corners','card_drawn','2026-01-01 00:00:31.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(46,'053cf9acaacd58a79c18eaf0ec37c180',46,'kings_corners','turn_passed','2026-01-01 00:00:31.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(47,'053cf9acaacd58a79c18eaf0ec37c180',47,'kings_corners','card_played','2026-01-01 00:00:32.000000','bob','bob','bob plays 5C on W.');
INSERT INTO "fairdeal_timeline" VALUES(48,'053cf9acaacd58a79c18eaf0ec37c180',48,'kings_corners','card_drawn','2026-01-01 00:00:33.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(49,'053cf9acaacd58a79c18eaf0ec37c180',49,'kings_corners','turn_passed','2026-01-01 00:00:33.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(50,'053cf9acaacd58a79c18eaf0ec37c180',50,'kings_corners','card_drawn','2026-01-01 00:00:34.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(51,'053cf9acaacd58a79c18eaf0ec37c180',51,'kings_corners','turn_passed','2026-01-01 00:00:34.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(52,'053cf9acaacd58a79c18eaf0ec37c180',52,'kings_corners','card_played','2026-01-01 00:00:35.000000','bob','bob','bob plays JC on NE.');
INSERT INTO "fairdeal_timeline" VALUES(53,'053cf9acaacd58a79c18eaf0ec37c180',53,'kings_corners','card_drawn','2026-01-01 00:00:36.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(54,'053cf9acaacd58a79c18eaf0ec37c180',54,'kings_corners','turn_passed','2026-01-01 00:00:36.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(55,'053cf9acaacd58a79c18eaf0ec37c180',55,'kings_corners','card_played','2026-01-01 00:00:37.000000','ann','ann','ann plays 10D on NE.');
INSERT INTO "fairdeal_timeline" VALUES(56,'053cf9acaacd58a79c18eaf0ec37c180',56,'kings_corners','pile_moved','2026-01-01 00:00:38.000000','ann','ann','ann moves S (9C) onto NE.');
INSERT INTO "fairdeal_timeline" VALUES(57,'053cf9acaacd58a79c18eaf0ec37c180',57,'kings_corners','card_played','2026-01-01 00:00:39.000000','ann','ann','ann plays 10H on S.');
INSERT INTO "fairdeal_timeline" VALUES(58,'053cf9acaacd58a79c18eaf0ec37c180',58,'kings_corners','pile_moved','2026-01-01 00:00:40.000000','ann','ann','ann moves W (9S 8D 7C 6H 5C) onto S.');
INSERT INTO "fairdeal_timeline" VALUES(59,'053cf9acaacd58a79c18eaf0ec37c180',59,'kings_corners','card_played','2026-01-01 00:00:41.000000','ann','ann','ann plays 7S on W.');
INSERT INTO "fairdeal_timeline" VALUES(60,'053cf9acaacd58a79c18eaf0ec37c180',60,'kings_corners','card_drawn','2026-01-01 00:00:42.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(61,'053cf9acaacd58a79c18eaf0ec37c180',61,'kings_corners','turn_passed','2026-01-01 00:00:42.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(62,'053cf9acaacd58a79c18eaf0ec37c180',62,'kings_corners','card_played','2026-01-01 00:00:43.000000','bob','bob','bob plays JS on SE.');
INSERT INTO "fairdeal_timeline" VALUES(63,'053cf9acaacd58a79c18eaf0ec37c180',63,'kings_corners','pile_moved','2026-01-01 00:00:44.000000','bob','bob','bob moves S (10H 9S 8D 7C 6H 5C) onto SE.');
INSERT INTO "fairdeal_timeline" VALUES(64,'053cf9acaacd58a79c18eaf0ec37c180',64,'kings_corners','card_played','2026-01-01 00:00:45.000000','bob','bob','bob plays 3C on S.');
INSERT INTO "fairdeal_timeline" VALUES(65,'053cf9acaacd58a79c18eaf0ec37c180',65,'kings_corners','card_played','2026-01-01 00:00:46.000000','bob','bob','bob plays 2D on S.');
INSERT INTO "fairdeal_timeline" VALUES(66,'053cf9acaacd58a79c18eaf0ec37c180',66,'kings_corners','card_played','2026-01-01 00:00:47.000000','bob','bob','bob plays AS on S.');
INSERT INTO "fairdeal_timeline" VALUES(67,'053cf9acaacd58a79c18eaf0ec37c180',67,'kings_corners','card_drawn','2026-01-01 00:00:48.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(68,'053cf9acaacd58a79c18eaf0ec37c180',68,'kings_corners','turn_passed','2026-01-01 00:00:48.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(69,'053cf9acaacd58a79c18eaf0ec37c180',69,'kings_corners','card_drawn','2026-01-01 00:00:49.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(70,'053cf9acaacd58a79c18eaf0ec37c180',70,'kings_corners','turn_passed','2026-01-01 00:00:49.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(71,'053cf9acaacd58a79c18eaf0ec37c180',71,'kings_corners','card_played','2026-01-01 00:00:50.000000','bob','bob','bob plays 8H on NE.');
INSERT INTO "fairdeal_timeline" VALUES(72,'053cf9acaacd58a79c18eaf0ec37c180',72,'kings_corners','pile_moved','2026-01-01 00:00:51.000000','bob','bob','bob moves W (7S) onto NE.');
INSERT INTO "fairdeal_timeline" VALUES(73,'053cf9acaacd58a79c18eaf0ec37c180',73,'kings_corners','card_played','2026-01-01 00:00:52.000000','bob','bob','bob plays 3S on W.');
INSERT INTO "fairdeal_timeline" VALUES(74,'053cf9acaacd58a79c18eaf0ec37c180',74,'kings_corners','card_played','2026-01-01 00:00:53.000000','bob','bob','bob plays 2H on W.');
INSERT INTO "fairdeal_timeline" VALUES(75,'053cf9acaacd58a79c18eaf0ec37c180',75,'kings_corners','card_drawn','2026-01-01 00:00:54.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(76,'053cf9acaacd58a79c18eaf0ec37c180',76,'kings_corners','turn_passed','2026-01-01 00:00:54.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(77,'053cf9acaacd58a79c18eaf0ec37c180',77,'kings_corners','card_played','2026-01-01 00:00:55.000000','ann','ann','ann plays 4H on SE.');
INSERT INTO "fairdeal_timeline" VALUES(78,'053cf9acaacd58a79c18eaf0ec37c180',78,'kings_corners','pile_moved','2026-01-01 00:00:56.000000','ann','ann','ann moves S (3C 2D AS) onto SE.');
INSERT INTO "fairdeal_timeline" VALUES(79,'053cf9acaacd58a79c18eaf0ec37c180',79,'kings_corners','card_played','2026-01-01 00:00:57.000000','ann','ann','ann plays AC on W.');
INSERT INTO "fairdeal_timeline" VALUES(80,'053cf9acaacd58a79c18eaf0ec37c180',80,'kings_corners','card_played','2026-01-01 00:00:58.000000','ann','ann','ann plays 6S on S.');
INSERT INTO "fairdeal_timeline" VALUES(81,'053cf9acaacd58a79c18eaf0ec37c180',81,'kings_corners','card_drawn','2026-01-01 00:00:59.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(82,'053cf9acaacd58a79c18eaf0ec37c180',82,'kings_corners','turn_passed','2026-01-01 00:00:59.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(83,'053cf9acaacd58a79c18eaf0ec37c180',83,'kings_corners','card_played','2026-01-01 00:01:00.000000','bob','bob','bob plays 5H on E.');
INSERT INTO "fairdeal_timeline" VALUES(84,'053cf9acaacd58a79c18eaf0ec37c180',84,'kings_corners','card_drawn','2026-01-01 00:01:01.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(85,'053cf9acaacd58a79c18eaf0ec37c180',85,'kings_corners','turn_passed','2026-01-01 00:01:01.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(86,'053cf9acaacd58a79c18eaf0ec37c180',86,'kings_corners','card_drawn','2026-01-01 00:01:02.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(87,'053cf9acaacd58a79c18eaf0ec37c180',87,'kings_corners','turn_passed','2026-01-01 00:01:02.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(88,'053cf9acaacd58a79c18eaf0ec37c180',88,'kings_corners','card_played','2026-01-01 00:01:03.000000','bob','bob','bob plays 9H on SW.');
INSERT INTO "fairdeal_timeline" VALUES(89,'053cf9acaacd58a79c18eaf0ec37c180',89,'kings_corners','card_drawn','2026-01-01 00:01:04.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(90,'053cf9acaacd58a79c18eaf0ec37c180',90,'kings_corners','turn_passed','2026-01-01 00:01:04.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(91,'053cf9acaacd58a79c18eaf0ec37c180',91,'kings_corners','card_drawn','2026-01-01 00:01:05.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(92,'053cf9acaacd58a79c18eaf0ec37c180',92,'kings_corners','turn_passed','2026-01-01 00:01:05.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(93,'053cf9acaacd58a79c18eaf0ec37c180',93,'kings_corners','card_drawn','2026-01-01 00:01:06.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(94,'053cf9acaacd58a79c18eaf0ec37c180',94,'kings_corners','turn_passed','2026-01-01 00:01:06.000000','bob','bob','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(95,'053cf9acaacd58a79c18eaf0ec37c180',95,'kings_corners','card_drawn','2026-01-01 00:01:07.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(96,'053cf9acaacd58a79c18eaf0ec37c180',96,'kings_corners','turn_passed','2026-01-01 00:01:07.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(97,'053cf9acaacd58a79c18eaf0ec37c180',97,'kings_corners','card_played','2026-01-01 00:01:08.000000','bob','bob','bob plays 8C on SW.');
INSERT INTO "fairdeal_timeline" VALUES(98,'053cf9acaacd58a79c18eaf0ec37c180',98,'kings_corners','pile_moved','2026-01-01 00:01:09.000000','bob','bob','bob moves E (7D 6C 5H) onto SW.');
INSERT INTO "fairdeal_timeline" VALUES(99,'053cf9acaacd58a79c18eaf0ec37c180',99,'kings_corners','card_played','2026-01-01 00:01:10.000000','bob','bob','bob plays 7H on E.');
INSERT INTO "fairdeal_timeline" VALUES(100,'053cf9acaacd58a79c18eaf0ec37c180',100,'kings_corners','pile_moved','2026-01-01 00:01:11.000000','bob','bob','bob moves S (6S) onto E.');
INSERT INTO "fairdeal_timeline" VALUES(101,'053cf9acaacd58a79c18eaf0ec37c180',101,'kings_corners','card_played','2026-01-01 00:01:12.000000','bob','bob','bob plays AH on S.');
INSERT INTO "fairdeal_timeline" VALUES(102,'053cf9acaacd58a79c18eaf0ec37c180',102,'kings_corners','game_finished','2026-01-01 00:01:12.000000','bob','bob','bob wins (won).');
INSERT INTO "fairdeal_timeline" VALUES(103,'f5c6efa6357b573f9644628a489d20fa',1,'kings_corners','game_opened','2026-01-01 00:01:13.000000','ann','ann','ann opens the table.');
INSERT INTO "fairdeal_timeline" VALUES(104,'f5c6efa6357b573f9644628a489d20fa',2,'kings_corners','player_seated','2026-01-01 00:01:13.000000','ann','ann','ann sits down.');
INSERT INTO "fairdeal_timeline" VALUES(105,'f5c6efa6357b573f9644628a489d20fa',3,'kings_corners','player_seated','2026-01-01 00:01:13.000000','ann','bob','bob sits down.');
INSERT INTO "fairdeal_timeline" VALUES(106,'f5c6efa6357b573f9644628a489d20fa',4,'kings_corners','player_seated','2026-01-01 00:01:13.000000','ann','cleo','cleo sits down.');
INSERT INTO "fairdeal_timeline" VALUES(107,'f5c6efa6357b573f9644628a489d20fa',5,'kings_corners','game_started','2026-01-01 00:01:13.000000','ann','ann','The game starts (shuffle).');
INSERT INTO "fairdeal_timeline" VALUES(108,'f5c6efa6357b573f9644628a489d20fa',6,'kings_corners','cards_dealt','2026-01-01 00:01:13.000000','ann','ann','Seven cards each are dealt, and one onto each foundation.');
INSERT INTO "fairdeal_timeline" VALUES(109,'f5c6efa6357b573f9644628a489d20fa',7,'kings_corners','card_played','2026-01-01 00:01:14.000000','ann','ann','ann plays KS on NE.');
INSERT INTO "fairdeal_timeline" VALUES(110,'f5c6efa6357b573f9644628a489d20fa',8,'kings_corners','pile_moved','2026-01-01 00:01:15.000000','ann','ann','ann moves E (QD) onto W.');
INSERT INTO "fairdeal_timeline" VALUES(111,'f5c6efa6357b573f9644628a489d20fa',9,'kings_corners','pile_moved','2026-01-01 00:01:16.000000','ann','ann','ann moves W (KC QD) onto SE.');
INSERT INTO "fairdeal_timeline" VALUES(112,'f5c6efa6357b573f9644628a489d20fa',10,'kings_corners','card_played','2026-01-01 00:01:17.000000','ann','ann','ann plays AC on N.');
INSERT INTO "fairdeal_timeline" VALUES(113,'f5c6efa6357b573f9644628a489d20fa',11,'kings_corners','card_played','2026-01-01 00:01:18.000000','ann','ann','ann plays 8D on E.');
INSERT INTO "fairdeal_timeline" VALUES(114,'f5c6efa6357b573f9644628a489d20fa',12,'kings_corners','card_played','2026-01-01 00:01:19.000000','ann','ann','ann plays 6S on W.');
INSERT INTO "fairdeal_timeline" VALUES(115,'f5c6efa6357b573f9644628a489d20fa',13,'kings_corners','card_played','2026-01-01 00:01:20.000000','ann','ann','ann plays 5D on W.');
INSERT INTO "fairdeal_timeline" VALUES(116,'f5c6efa6357b573f9644628a489d20fa',14,'kings_corners','card_drawn','2026-01-01 00:01:21.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(117,'f5c6efa6357b573f9644628a489d20fa',15,'kings_corners','turn_passed','2026-01-01 00:01:21.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(118,'f5c6efa6357b573f9644628a489d20fa',16,'kings_corners','card_played','2026-01-01 00:01:22.000000','bob','bob','bob plays KH on SW.');
INSERT INTO "fairdeal_timeline" VALUES(119,'f5c6efa6357b573f9644628a489d20fa',17,'kings_corners','card_played','2026-01-01 00:01:23.000000','bob','bob','bob plays QH on NE.');
INSERT INTO "fairdeal_timeline" VALUES(120,'f5c6efa6357b573f9644628a489d20fa',18,'kings_corners','card_played','2026-01-01 00:01:24.000000','bob','bob','bob plays QC on SW.');
INSERT INTO "fairdeal_timeline" VALUES(121,'f5c6efa6357b573f9644628a489d20fa',19,'kings_corners','card_played','2026-01-01 00:01:25.000000','bob','bob','bob plays JH on SW.');
INSERT INTO "fairdeal_timeline" VALUES(122,'f5c6efa6357b573f9644628a489d20fa',20,'kings_corners','card_played','2026-01-01 00:01:26.000000','bob','bob','bob plays 7S on E.');
INSERT INTO "fairdeal_timeline" VALUES(123,'f5c6efa6357b573f9644628a489d20fa',21,'kings_corners','card_played','2026-01-01 00:01:27.000000','bob','bob','bob plays 6H on E.');
INSERT INTO "fairdeal_timeline" VALUES(124,'f5c6efa6357b573f9644628a489d20fa',22,'kings_corners','card_drawn','2026-01-01 00:01:28.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(125,'f5c6efa6357b573f9644628a489d20fa',23,'kings_corners','turn_passed','2026-01-01 00:01:28.000000','bob','bob','It is cleo''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(126,'f5c6efa6357b573f9644628a489d20fa',24,'kings_corners','card_played','2026-01-01 00:01:29.000000','cleo','cleo','cleo plays 10C on SW.');
INSERT INTO "fairdeal_timeline" VALUES(127,'f5c6efa6357b573f9644628a489d20fa',25,'kings_corners','card_played','2026-01-01 00:01:30.000000','cleo','cleo','cleo plays 4C on W.');
INSERT INTO "fairdeal_timeline" VALUES(128,'f5c6efa6357b573f9644628a489d20fa',26,'kings_corners','card_drawn','2026-01-01 00:01:31.000000','cleo','cleo','cleo draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(129,'f5c6efa6357b573f9644628a489d20fa',27,'kings_corners','turn_passed','2026-01-01 00:01:31.000000','cleo','cleo','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(130,'f5c6efa6357b573f9644628a489d20fa',28,'kings_corners','card_drawn','2026-01-01 00:01:32.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(131,'f5c6efa6357b573f9644628a489d20fa',29,'kings_corners','turn_passed','2026-01-01 00:01:32.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(132,'f5c6efa6357b573f9644628a489d20fa',30,'kings_corners','card_played','2026-01-01 00:01:33.000000','bob','bob','bob plays 3H on W.');
INSERT INTO "fairdeal_timeline" VALUES(133,'f5c6efa6357b573f9644628a489d20fa',31,'kings_corners','card_drawn','2026-01-01 00:01:34.000000','bob','bob','bob draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(134,'f5c6efa6357b573f9644628a489d20fa',32,'kings_corners','turn_passed','2026-01-01 00:01:34.000000','bob','bob','It is cleo''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(135,'f5c6efa6357b573f9644628a489d20fa',33,'kings_corners','card_played','2026-01-01 00:01:35.000000','cleo','cleo','cleo plays KD on NW.');
INSERT INTO "fairdeal_timeline" VALUES(136,'f5c6efa6357b573f9644628a489d20fa',34,'kings_corners','card_played','2026-01-01 00:01:36.000000','cleo','cleo','cleo plays 2C on W.');
INSERT INTO "fairdeal_timeline" VALUES(137,'f5c6efa6357b573f9644628a489d20fa',35,'kings_corners','card_drawn','2026-01-01 00:01:37.000000','cleo','cleo','cleo draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(138,'f5c6efa6357b573f9644628a489d20fa',36,'kings_corners','turn_passed','2026-01-01 00:01:37.000000','cleo','cleo','It is ann''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(139,'f5c6efa6357b573f9644628a489d20fa',37,'kings_corners','card_played','2026-01-01 00:01:38.000000','ann','ann','ann plays AD on W.');
INSERT INTO "fairdeal_timeline" VALUES(140,'f5c6efa6357b573f9644628a489d20fa',38,'kings_corners','card_drawn','2026-01-01 00:01:39.000000','ann','ann','ann draws a card.');
INSERT INTO "fairdeal_timeline" VALUES(141,'f5c6efa6357b573f9644628a489d20fa',39,'kings_corners','turn_passed','2026-01-01 00:01:39.000000','ann','ann','It is bob''s turn.');
INSERT INTO "fairdeal_timeline" VALUES(142,'f5c6efa6357b573f9644628a489d20fa',40,'kings_corners','card_played','2026-01-01 00:01:40.000000','bob','bob','bob plays 9H on SW.');
INSERT INTO "fairdeal_timeline" VALUES(143,'f5c6efa6357b573f9644628a489d20fa',41,'kings_corners','pile_moved','2026-01-01 00:01:41.000000','bob','bob','bob moves S (8C) onto SW.');
INSERT INTO "fairdeal_timeline" VALUES(144,'f5c6efa6357b573f9644628a489d20fa',42,'kings_corners','card_played','2026-01-01 00:01:42.000000','bob','bob','bob plays 3C on S.');
INSERT INTO "fairdeal_timeline" VALUES(145,'f5c6efa6357b573f9644628a489d20fa',43,'kings_corners','game_finished','2026-01-01 00:01:42.000000','bob','bob','bob wins (won).');
INSERT INTO "fairdeal_timeline" VALUES(146,'88a9bf56d2b85088a2fbf5c0aaeac5bf',1,'kings_corners','game_opened','2026-01-01 00:01:43.000000','bob','bob','bob opens the table.');
INSERT INTO "fairdeal_timeline" VALUES(147,'88a9bf56d2b85088a2fbf5c0aaeac5bf',2,'kings_corners','player_seated','2026-01-01 00:01:43.000000','bob','bob','bob sits down.');
INSERT INTO "fairdeal_timeline" VALUES(148,'88a9bf56d2b85088a2fbf5c0aaeac5bf',3,'kings_corners','player_seated','2026-01-01 00:01:43.000000','bob','ann','ann sits down.');
INSERT INTO "fairdeal_timeline" VALUES(149,'88a9bf56d2b85088a2fbf5c0aaeac5bf',4,'kings_corners','game_started','2026-01-01 00:01:43.000000','bob','bob','The game starts (shuffle).');
INSERT INTO "fairdeal_timeline" VALUES(150,'88a9bf56d2b85088a2fbf5c0aaeac5bf',5,'kings_corners','cards_dealt','2026-01-01 00:01:43.000000','bob','bob','Seven cards each are dealt, and one onto each foundation.');
INSERT INTO "fairdeal_timeline" VALUES(151,'88a9bf56d2b85088a2fbf5c0aaeac5bf',6,'kings_corners','pile_moved','2026-01-01 00:01:44.000000','bob','bob','bob moves W (JC) onto N.');
INSERT INTO "fairdeal_timeline" VALUES(152,'88a9bf56d2b85088a2fbf5c0aaeac5bf',7,'kings_corners','card_played','2026-01-01 00:01:45.000000','bob','bob','bob plays 6D on S.');
INSERT INTO "fairdeal_timeline" VALUES(153,'88a9bf56d2b85088a2fbf5c0aaeac5bf',8,'kings_corners','card_played','2026-01-01 00:01:46.000000','bob','bob','bob plays AD on E.');
INSERT INTO "fairdeal_timeline" VALUES(154,'88a9bf56d2b85088a2fbf5c0aaeac5bf',9,'kings_corners','game_abandoned','2026-01-01 00:01:47.000000','ann','ann','ann leaves the game and loses it (left).');
CREATE INDEX fairdeal_games_by_kind ON fairdeal_games (kind, opened);
CREATE INDEX fairdeal_games_by_phase ON fairdeal_games (phase, opened);
CREATE INDEX fairdeal_seats_by_player ON fairdeal_seats (player, opened);
CREATE INDEX fairdeal_timeline_by_game ON fairdeal_timeline (game_id, version);
CREATE INDEX fairdeal_timeline_by_player ON fairdeal_timeline (player, position);
CREATE INDEX fairdeal_timeline_by_event ON fairdeal_timeline (event, position);
CREATE INDEX fairdeal_timeline_by_time ON fairdeal_timeline (at);
COMMIT;
