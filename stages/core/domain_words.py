"""Words of operations which jieba's general dictionary lacks, so that it would cut them in two.

A word belongs here if an operator would search for it as one word. The list is code: it changes how the
corpus is indexed, so the stages that index depend on it.
"""

from typing import Final

_TEXT: Final = """
线程池 连接池 内存池 对象池 幂等 幂等性 消费者 消费组 生产者 消息队列 死信 死信队列 延迟队列 重平衡 位点 分区 副本
主从 主备 主库 从库 读写分离 分库分表 慢查询 慢日志 死锁 锁等待 行锁 表锁 长事务 大事务 脏读 回表 覆盖索引 执行计划
缓存穿透 缓存击穿 缓存雪崩 热点键 大键 淘汰策略 哨兵 布隆过滤器
熔断 降级 限流 重试 超时 兜底 灰度 灰度发布 蓝绿 回滚 扩容 缩容 扩缩容 压测 容灾 双活 切流 引流 摘流
网关 注册中心 配置中心 负载均衡 健康检查 探活 心跳 链路追踪 调用链 埋点 日志采集 监控项 告警 报警项 误报 漏报 值班 工单
容器 镜像 镜像仓库 节点 集群 命名空间 调度器 驱逐 污点 容忍度 探针 就绪探针 存活探针 控制器 边车 服务网格
堆内存 堆外内存 内存泄漏 内存溢出 垃圾回收 句柄 文件句柄 文件描述符 磁盘空间 磁盘满 负载高 上下文切换 僵尸进程
线程栈 火焰图
积压 堆积 抖动 毛刺 雪崩 限速 背压 回压 水位 水位线 快照 落盘 刷盘 脑裂 选主 心跳超时 丢包 重传 握手 证书 证书过期
域名解析 反向代理 跨域 白名单 黑名单 密钥 令牌 鉴权 单点登录 对账 补单 掉单 重复扣款 支付回调 退款 超卖 库存
"""
DOMAIN_WORDS: Final = tuple(_TEXT.split())
